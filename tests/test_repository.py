"""Promises about the repository's own text: pure simulator, safe loading, commands that exist, no stray paths."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "proactivity_gym"

Lint = Callable[[ast.AST], str | None]
"""Takes a node and answers what is wrong with it."""

CLOCK_CALLS = {"now", "utcnow", "today", "fromtimestamp", "localtime", "gmtime"}
IMPURE_MODULES = {"time", "random", "secrets", "uuid"}
SEEDED = {"Generator", "BitGenerator", "SeedSequence", "PCG64", "PCG64DXSM", "Philox", "SFC64", "default_rng"}
UNSAFE_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}
UNSAFE_CALLS = {"eval", "exec", "compile", "__import__"}
UNSAFE_ATTRIBUTES = {"yaml.load", "yaml.unsafe_load", "yaml.full_load"}

TEXT_SUFFIXES = {"", ".py", ".md", ".toml", ".txt", ".yml", ".yaml", ".cff", ".json", ".jsonl", ".html", ".css", ".js"}
BUILT = {"site", "dist", "build", "runs", "models", "htmlcov", "__pycache__"}
MACHINE_PATH = re.compile(r"(?<![\w.:/~-])/(?:root|work|Users/\w+|home/\w+)/")


def dotted(node: ast.AST) -> str:
    """Write a name such as `np.random.rand` as it stands in the source; empty where it is no plain name."""
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def imported(node: ast.AST) -> set[str]:
    """Name the top-level modules that an import statement loads."""
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return {node.module.partition(".")[0]}
    return set()


def impurity(node: ast.AST) -> str | None:
    """Find wall clocks, global randomness and values that differ between processes."""
    if bad := imported(node) & IMPURE_MODULES:
        return f"imports {', '.join(sorted(bad))}"
    if not isinstance(node, ast.Call):
        return global_randomness(node)
    name = dotted(node.func)
    owner, _, last = name.rpartition(".")
    if last in CLOCK_CALLS and owner.rpartition(".")[2] in {"datetime", "date", "time"}:
        return f"{name}() reads the wall clock: take the time as an argument"
    if name in {"hash", "id", "os.urandom", "input"} or last in {"uuid1", "uuid4"}:
        return f"{name}() differs from process to process"
    if last == "default_rng" and not node.args and not node.keywords:
        return f"{name}() without a seed: take a generator as an argument"
    return None


def global_randomness(node: ast.AST) -> str | None:
    """Find uses of numpy's global generator."""
    if isinstance(node, ast.ImportFrom) and node.module == "numpy.random":
        bad = {alias.name for alias in node.names} - SEEDED
        return f"imports {', '.join(sorted(bad))} of numpy.random, which are global" if bad else None
    owner, _, last = dotted(node).rpartition(".")
    if owner in {"np.random", "numpy.random"} and last not in SEEDED:
        return f"{dotted(node)} is global: take a generator as an argument"
    return None


def unsafe_loading(node: ast.AST) -> str | None:
    """Find ways in which a file could run code."""
    if bad := imported(node) & UNSAFE_MODULES:
        return f"imports {', '.join(sorted(bad))}"
    if not isinstance(node, ast.Call):
        return None
    name = dotted(node.func)
    return f"{name}() can run what a file says" if name in UNSAFE_CALLS | UNSAFE_ATTRIBUTES else None


def blind_except(node: ast.AST) -> str | None:
    """Find handlers that would take a bug for a failed agent."""
    if not isinstance(node, ast.ExceptHandler):
        return None
    caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    blind = [item for item in caught if item is None or dotted(item) in {"Exception", "BaseException"}]
    return "catches everything: name the exceptions" if blind else None


def findings(lint: Lint, source: str, file: str) -> list[str]:
    """Run one lint over the text of a module."""
    return [
        f"{file}:{getattr(node, 'lineno', 1)} {message}"
        for node in ast.walk(ast.parse(source))
        if (message := lint(node)) is not None
    ]


def findings_under(lint: Lint, folder: Path) -> list[str]:
    """Run one lint over all modules of a folder."""
    return [
        finding
        for path in sorted(folder.rglob("*.py"))
        for finding in findings(lint, path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())
    ]


def test_the_simulator_is_pure() -> None:
    assert findings_under(impurity, PACKAGE / "sim") == []


PICKLING = {
    "proactivity_gym/baselines/learned_file.py": "names the error with which torch refuses weights that are more than weights",
    "proactivity_gym/train/checkpoints.py": "a run of one's own is resumed with environments in mid-week; the docs say so",
}
"""Files that may import pickle, and why."""


def test_the_package_loads_nothing_that_can_run() -> None:
    found = [finding.partition(":")[0] for finding in findings_under(unsafe_loading, PACKAGE)]
    assert sorted(found) == sorted(PICKLING)


HANDED_ON = {"proactivity_gym/reports/evaluation/running.py": "a thread hands what it raised to the thread that waits for it"}
"""Files that may catch everything, once, to raise it elsewhere, and why."""


def test_the_package_catches_nothing_blindly() -> None:
    found = [finding.partition(":")[0] for finding in findings_under(blind_except, PACKAGE)]
    assert sorted(found) == sorted(HANDED_ON)


BAD_SAMPLES: list[tuple[Lint, str]] = [
    (impurity, "import time"),
    (impurity, "from random import choice"),
    (impurity, "import os, uuid"),
    (impurity, "start = datetime.now()"),
    (impurity, "start = datetime.datetime.now(UTC)"),
    (impurity, "day = date.today()"),
    (impurity, "key = hash(text)"),
    (impurity, "key = uuid.uuid4()"),
    (impurity, "noise = os.urandom(8)"),
    (impurity, "x = np.random.rand(3)"),
    (impurity, "np.random.seed(1)"),
    (impurity, "from numpy.random import rand"),
    (impurity, "rng = np.random.default_rng()"),
    (unsafe_loading, "import pickle"),
    (unsafe_loading, "from joblib import load"),
    (unsafe_loading, "x = eval(text)"),
    (unsafe_loading, "x = yaml.load(text)"),
    (blind_except, "try: f()\nexcept: pass"),
    (blind_except, "try: f()\nexcept Exception: pass"),
    (blind_except, "try: f()\nexcept (ValueError, BaseException): pass"),
]


@pytest.mark.parametrize(("lint", "source"), BAD_SAMPLES)
def test_a_lint_has_teeth(lint: Lint, source: str) -> None:
    assert len(findings(lint, source, "bad.py")) == 1


@pytest.mark.parametrize(
    ("lint", "source"),
    [
        (impurity, "from datetime import time, datetime\nwall = datetime.combine(day, time())"),
        (impurity, "minute = episode.now()"),
        (impurity, "def f(rng: np.random.Generator) -> float:\n    return rng.random()"),
        (impurity, "rng = np.random.default_rng(np.random.SeedSequence(seed))"),
        (unsafe_loading, "x = json.loads(text)\ny = re.compile(text)\nmodel.eval()"),
        (blind_except, "try: f()\nexcept (ValueError, KeyError): pass"),
    ],
)
def test_a_lint_spares_the_innocent(lint: Lint, source: str) -> None:
    assert findings(lint, source, "good.py") == []


def make_targets(makefile: str) -> set[str]:
    """List what a Makefile can make."""
    return set(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))


def make_calls(text: str) -> set[str]:
    """List the verbs that code in a Markdown text gives to make."""
    code = re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL)
    return set(re.findall(r"(?:^|[`\s])make ([a-z][\w-]*)", "\n".join(code)))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_pages_name_verbs_that_exist(page: str) -> None:
    calls = make_calls((ROOT / page).read_text(encoding="utf-8"))
    assert "test" in calls
    assert calls <= make_targets((ROOT / "Makefile").read_text(encoding="utf-8"))


def test_continuous_integration_runs_the_test_command() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_verbs_are_found_in_code_alone() -> None:
    page = "To make sense:\n```console\nmake demo  # now\n```\nor `make check`, or make do."
    assert make_calls(page) == {"demo", "check"}
    assert make_targets("demo: x\n\tmake all\nX := y\n") == {"demo"}


def texts(root: Path) -> Iterator[Path]:
    """Walk the repository's text files, built and hidden folders (but .ci) excluded."""
    for path in sorted(root.iterdir()):
        hidden = path.name.startswith(".") and path.name != ".ci"
        if path.is_dir() and not hidden and path.name not in BUILT and not path.name.endswith(".egg-info"):
            yield from texts(path)
        elif path.is_file() and path.suffix in TEXT_SUFFIXES and not path.name.startswith(".coverage"):
            yield path


def test_no_file_names_a_path_of_one_machine() -> None:
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{number} {line.strip()[:100]}"
        for path in texts(ROOT)
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert found == []


WORK = "work"
"""A folder of machines that build, written apart so that this file names no path of one."""


@pytest.mark.parametrize("line", ["cd /root/x", f"'/{WORK}/y/z'", "path=/home/mira/code", "(/Users/mira/code)"])
def test_paths_of_a_machine_are_seen(line: str) -> None:
    assert MACHINE_PATH.search(line)


@pytest.mark.parametrize("line", [f"https://example.org/{WORK}/x", f"docs/{WORK}/x", "~/home/x/", "/data/runs/"])
def test_other_paths_are_not(line: str) -> None:
    assert not MACHINE_PATH.search(line)
