"""A server that gives every chat completion the same answer after a delay, for measuring what asks it.

    python benchmarks/answering.py 0.05

It prints its address first and serves until it is killed. It looks at no request, so that it takes as little time as a server
in Python can: thousands of answers a second.
"""

import asyncio
import json
import sys

TEXT = '{"interventions": []}'
"""What a policy takes for: wait."""
_LONGEST_HEAD = 1 << 16
_LENGTH = b"content-length:"


def answer() -> bytes:
    """Return the answer as it goes over the wire."""
    choice = {"index": 0, "message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "mock", "choices": [choice], "usage": usage}
    encoded = json.dumps(body).encode("ascii")
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(encoded), encoded)


async def serve(delay_s: float) -> None:
    """Serve on a free port of loopback."""
    reply = answer()

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                await reader.readexactly(int(head.partition(_LENGTH)[2].partition(b"\r\n")[0]))
                await asyncio.sleep(delay_s)
                writer.write(reply)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(converse, "127.0.0.1", 0, limit=_LONGEST_HEAD, backlog=512)
    print(json.dumps({"base_url": f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"}), flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
