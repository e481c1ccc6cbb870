"""Edits of the small scenario that several tests make."""

from tests.sim.tiny import Edit

SIGNAL = '\n[record.signal]\ntopic = "forms"\nwork_min = 5\nreview_min = 5\nresource = "assistant"\nclass = "draft"\n'

NIGHT = 'phase = "sleep"\n'
SAID = 'said = "Parcels: go ahead with messages, nothing that costs."'
FEE = "options = [40, 55]"

FORM_TASK = 'kind = "latent"\n'
PARCEL_TASK = 'kind = "request"\n'
CARD_TASK = 'kind = "noop"\n'
SETTLED = f'{PARCEL_TASK}resolved_by = "extra"\nresolved_chance = 0.2\n'

SEND = (
    'tool = "messages.send"\nargs = { to = "Rui", body = "Could you take in my parcel tomorrow at noon?" }\n'
    'free = ["body"]\ncontains = { body = ["parcel", "noon"] }'
)
"""The action of the parcel's task."""


def add(key: str, table: str) -> Edit:
    """Add an entry to a list of tables."""
    return "", f"[[{key}]]\n{table}"


def record(head: str, tail: str = "", name: str = "extra", app: str = "mail") -> Edit:
    """Add a record, called `extra` if not otherwise."""
    return add("record", f'id = "{name}"\napp = "{app}"\ntitle = "More"\ntext = "More."\n{head}\n{tail}')


def usage(start: str, end: str, resource: str = "assistant") -> Edit:
    """Add a use of a resource."""
    return add("usage", f'resource = "{resource}"\nunits = 1\nstart = {start}\nend = {end}\ntitle = "x"')


def window(urgent: str, later: str, more: str = "", name: str = "second") -> Edit:
    """Add a window."""
    return add("window", f'id = "{name}"\nurgent = "{urgent}"\nlater = "{later}"\nscarce = "money"\nwhy = "x"\n{more}')


SETTLING = (
    (PARCEL_TASK, SETTLED),
    record('at = 2027-03-08T09:20:00\nstatus = "done"\nmoves = "desk"'),
)
"""The parcel's task may be settled, by a record that appears before it is asked for."""
