"""What MkDocs asks while it builds: the pages of the scenarios take their place in the menu, as the catalogue has them."""

from typing import Any

from proactivity_gym.scenarios import catalogue


def on_config(config: Any) -> Any:  # noqa: ANN401 (MkDocs may not be there where this is checked)
    """Put a page for each scenario below the one of them all."""
    pages = [{name: f"scenarios/{name.lower()}.md"} for name in catalogue.names()]
    for entry in config.nav:
        if "Scenarios" in entry:
            entry["Scenarios"] = [{"All": entry["Scenarios"]}, *pages]
    return config
