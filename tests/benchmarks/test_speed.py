"""The benchmark runs and tells sensible figures; what they come to is for `make bench` to say."""

from benchmarks import speed

SHORT = speed.Setting(runs=1, steps=30, resets=2, imports=1, instances=1)


def test_every_figure_of_a_scenario_has_its_place() -> None:
    found = list(speed.speed_figures(["Education"], SHORT))
    assert len(found) == (5 if speed.has_mini_grid() else 4)
    assert all(figure.value > 0 for figure in found)
    assert all(figure.what.startswith("Education, ") for figure in found)


def test_a_verdict_looks_at_the_right_side() -> None:
    assert speed.Figure("more", 0.3, 0.25).met
    assert not speed.Figure("less", 0.2, 0.25).met
    assert speed.Figure("less", 4.0, 5, " ms", most=True).met
    missed = speed.Figure("more", 6.0, 5, " ms", most=True)
    assert str(missed).split() == ["more", "6.000", "ms", "at", "most", "5", "ms", "MISSED"]
    assert str(speed.Figure("same", 0.25, 0.25)).endswith("ok")


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert speed.loaded_by_import() == []
    assert speed.import_ratio(1) > 0


def test_an_instance_is_small() -> None:
    assert 0 < speed.memory_kb(speed.env_id("Education"), 3) < 64
