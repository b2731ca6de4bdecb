"""What `pulumi up` runs."""

from environment import declare

declare()
