"""What can go wrong with a model: each kind asks for something else of its caller, so each has a type.

Messages name the model, the status and what to do. They carry no key and no header, and what a server said only after known
secrets were blotted out.
"""


class LlmError(Exception):
    """Anything that keeps a model from answering."""


class InfraError(LlmError):
    """The server or the way to it is out of order, and stayed so: retries or the time for waiting ran out."""


class AuthError(LlmError):
    """No key, a refused key, or no quota left (401, 402, 403): asking again does not help, so it was not done."""


class RequestError(LlmError):
    """The server refuses the request itself (another 4xx: unknown model, unsupported parameter); it was not repeated."""


class ContextTooLong(LlmError):  # noqa: N818 - the name that says what happened
    """The prompt does not fit into the model's context: shorten it."""


class Refused(LlmError):  # noqa: N818 - likewise
    """A content filter or the model itself declined to answer, and did so again when asked again."""


class BudgetExceeded(LlmError):  # noqa: N818 - likewise
    """The cap of money or tokens is reached: no call was made."""


class UnpricedModel(LlmError):  # noqa: N818 - likewise
    """Money is capped, but the model has no price, so it would count as free."""


class TemplateError(LlmError):
    """A prompt template cannot be read or names what there is no value for."""


class Unreadable(LlmError):  # noqa: N818 - likewise
    """A reply holds no JSON value that can be told for certain. The message is short and meant for the repair prompt."""
