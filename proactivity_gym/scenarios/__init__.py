"""The scenarios, one TOML file each, and the catalogue that finds and loads them."""
