from proactivity_gym.sim.spelling import closest, suggestion


def test_the_most_like_word_is_suggested() -> None:
    assert closest("dedline", ["title", "deadline"]) == "deadline"
    assert suggestion("travel", ["Travel", "Research"]) == " (did you mean 'Travel'?)"


def test_what_is_like_nothing_gets_no_suggestion() -> None:
    assert closest("zzz", ["title", "deadline"]) is None
    assert suggestion("zzz", []) == ""
