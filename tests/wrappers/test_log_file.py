import copy
import errno
import multiprocessing
import os
import pickle
from pathlib import Path

import pytest

from proactivity_gym.wrappers.log_file import LogFile, naming, stem_of

HOSTILE = [
    "../../etc/passwd",
    "..",
    ".",
    "",
    "/",
    "a/b/../..",
    "C:\\x\\y",
    "a\x00b",
    "\ud835",
    "-rf",
    "~",
    "x" * 500,
    "né e",
    "a\nb",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_leads_nowhere_else(name: str, tmp_path: Path) -> None:
    stem = stem_of(name)
    assert stem.replace("_", "").replace("-", "").isalnum()
    assert stem.isascii()
    assert len(stem) <= 80
    file = LogFile(tmp_path / "logs", stem)
    file.begin(b"1\n")
    file.append(b"2\n")
    assert file.path is not None
    assert file.path.parent == tmp_path / "logs"
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_an_error_that_names_no_file_is_given_one(tmp_path: Path) -> None:
    for error, name in (
        (OSError(errno.ENOSPC, "No space left on device"), str(tmp_path)),
        (OSError(errno.ENOENT, "No such file", "other"), "other"),
        (OSError("said in words"), None),
    ):
        with pytest.raises(OSError, match=r".") as caught, naming(tmp_path):
            raise error
        assert caught.value.filename == name


def test_an_id_keeps_its_name() -> None:
    assert stem_of("ProactivityGym/Travel-PersonaB-v0") == "Travel-PersonaB-v0"
    assert stem_of("../..") == "episode"


def test_lines_are_saved_as_they_come_but_for_the_first(tmp_path: Path) -> None:
    file = LogFile(tmp_path / "deep" / "er", "x")
    file.begin(b"header\n")
    assert not (tmp_path / "deep").exists()
    file.append(b"1\n")
    path = tmp_path / "deep" / "er" / "x-000001.jsonl"
    assert path.read_bytes() == b"header\n1\n"
    file.append(b"2\n", last=True)
    assert file.path == path
    assert path.read_bytes() == b"header\n1\n2\n"


def test_numbers_go_on_and_nothing_is_overwritten(tmp_path: Path) -> None:
    for name in ("x-000007.jsonl", "x-abc.jsonl", "xy-000050.jsonl", "x-000009.txt"):
        (tmp_path / name).write_text("kept")
    file = LogFile(tmp_path, "x")
    names: list[str] = []
    for _ in range(3):
        file.begin(b"h\n")
        file.append(b"1\n")
        assert file.path is not None
        names.append(file.path.name)
        if len(names) == 1:
            (tmp_path / "x-000009.jsonl").write_text("another's")
    assert names == ["x-000008.jsonl", "x-000010.jsonl", "x-000011.jsonl"]
    assert (tmp_path / "x-000007.jsonl").read_text() == "kept"
    assert (tmp_path / "x-000009.jsonl").read_text() == "another's"


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "x-000001.jsonl").symlink_to(tmp_path / "elsewhere")
    file = LogFile(tmp_path, "x")
    file.begin(b"h\n")
    file.append(b"1\n")
    assert file.path == tmp_path / "x-000002.jsonl"
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("copied", ["deepcopy", "pickle"])
def test_a_copy_goes_on_in_a_file_of_its_own(copied: str, tmp_path: Path) -> None:
    file = LogFile(tmp_path, "x")
    file.begin(b"h\n")
    file.append(b"1\n")
    twin: LogFile = copy.deepcopy(file) if copied == "deepcopy" else pickle.loads(pickle.dumps(file))
    file.append(b"2\n")
    twin.append(b"two\n")
    assert (tmp_path / "x-000001.jsonl").read_bytes() == b"h\n1\n2\n"
    assert (tmp_path / "x-000002.jsonl").read_bytes() == b"h\n1\ntwo\n"
    file.append(b"3\n")
    assert (tmp_path / "x-000001.jsonl").read_bytes() == b"h\n1\n2\n3\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_process_goes_on_in_a_file_of_its_own(tmp_path: Path) -> None:
    file = LogFile(tmp_path, "x")
    file.begin(b"h\n")
    file.append(b"1\n")
    child = multiprocessing.get_context("fork").Process(target=file.append, args=(b"child\n",))
    child.start()
    child.join()
    file.append(b"2\n")
    assert (tmp_path / "x-000001.jsonl").read_bytes() == b"h\n1\n2\n"
    assert (tmp_path / "x-000002.jsonl").read_bytes() == b"h\n1\nchild\n"


def write_many(folder: str, name: str) -> None:
    file = LogFile(Path(folder), "x")
    for episode in range(25):
        file.begin(b"%s %d\n" % (name.encode(), episode))
        for _ in range(5):
            file.append(b"%s\n" % name.encode())


def test_writers_beside_each_other_never_share_a_file(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(str(tmp_path), f"w{number}")) for number in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    contents = [path.read_text().split() for path in sorted(tmp_path.iterdir())]
    assert len(contents) == 100
    assert all(len(words) == 7 and {words[0]} == set(words[2:]) for words in contents)
    assert len({tuple(words[:2]) for words in contents}) == 100


def test_a_write_that_failed_is_made_good_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = LogFile(tmp_path, "x")
    file.begin(b"h\n")
    file.append(b"1\n")
    path = tmp_path / "x-000001.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fails)
        with pytest.raises(OSError, match="no space"):
            file.append(b"2\n", last=True)
    with path.open("ab") as other:
        other.write(b"half a li")
    file.append(b"3\n", last=True)
    assert path.read_bytes() == b"h\n1\n2\n3\n"


def test_a_line_that_the_disk_takes_half_is_made_good_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, usual = LogFile(tmp_path, "x"), os.write

    def half(where: int, data: bytes) -> int:
        return usual(where, data[:1])

    file.begin(b"h\n")
    file.append(b"1\n")
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", half)
        with pytest.raises(OSError, match="a part only") as caught:
            file.append(b"2\n")
    assert caught.value.filename == str(file.path)
    file.append(b"3\n")
    assert (tmp_path / "x-000001.jsonl").read_bytes() == b"h\n1\n2\n3\n"


def test_a_folder_that_cannot_be_made_says_so_and_may_come_later(tmp_path: Path) -> None:
    blocker = tmp_path / "logs"
    blocker.write_text("a file")
    file = LogFile(blocker, "x")
    file.begin(b"h\n")
    with pytest.raises(FileExistsError):
        file.append(b"1\n")
    blocker.unlink()
    file.append(b"2\n")
    assert (blocker / "x-000001.jsonl").read_bytes() == b"h\n1\n2\n"


def fails(_: int) -> None:
    raise OSError("no space left")
