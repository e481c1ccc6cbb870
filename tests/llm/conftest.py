import ipaddress
import socket
from typing import cast

import pytest


def is_loopback(host: object) -> bool:
    """Tell whether a host, as sockets take it, is this machine."""
    if not isinstance(host, str | bytes):
        return False
    name = host if isinstance(host, str) else host.decode()
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections and look-ups that would leave this machine, and hide proxies and keys of the machine from clients."""
    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def check(address: object) -> None:
        if isinstance(address, tuple):  # a path is a socket of this machine
            host = cast(tuple[object, ...], address)[0]
            assert is_loopback(host), f"a test tried to reach {host}: only loopback is allowed"

    def guarded_connect(self: socket.socket, address: tuple[str, int]) -> None:
        check(address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: tuple[str, int]) -> int:
        check(address)
        return connect_ex(self, address)

    def guarded_look_up(host: str | bytes | None, *arguments: int, **options: int) -> object:
        if host is not None:
            check((host, 0))
        return look_up(host, *arguments, **options)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_LOG"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
