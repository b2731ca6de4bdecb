"""Volumes of sandboxes, which are in beta."""

import pytest
from langsmith import _exceptions as errors
from langsmith._client import Langsmith

GIB = 1024**3


@pytest.fixture
def volumes(client: Langsmith):
    return client.sandboxes.volumes


def test_one_is_made_of_whole_gibibytes_and_read_by_id_and_by_name(volumes, stem: str) -> None:
    made = volumes.create(name=stem, size_bytes=GIB + 1, description="Notes", labels={"team": "support"})
    assert (made.name, made.size_bytes, made.description, made.labels) == (stem, 2 * GIB, "Notes", {"team": "support"})
    assert (made.attachments, made.source_volume_id) == ([], None)
    for key in (made.id, stem):
        read = volumes.retrieve(key)
        assert (read.id, read.size_bytes, read.labels) == (made.id, 2 * GIB, {"team": "support"})


def test_an_update_replaces_what_it_names_and_clears_it(volumes, stem: str) -> None:
    volumes.create(name=stem, size_bytes=GIB, description="Notes", labels={"a": "1", "b": "2"})
    changed = volumes.update(stem, labels={"c": "3"})
    assert (changed.description, changed.labels) == ("Notes", {"c": "3"})
    cleared = volumes.update(stem, description=None, labels={})
    assert not cleared.description
    assert not cleared.labels
    assert volumes.retrieve(stem).size_bytes == GIB


def test_a_clone_is_a_volume_of_its_own(volumes, stem: str) -> None:
    source = volumes.create(name=stem, size_bytes=3 * GIB, labels={"a": "1"})
    clone = volumes.clone(stem, name=f"{stem}-clone", description="A copy")
    assert (clone.source_volume_id, clone.size_bytes, clone.description) == (source.id, 3 * GIB, "A copy")
    volumes.delete(clone.id)
    assert volumes.retrieve(stem).id == source.id


def test_a_list_is_read_page_by_page_to_its_end(volumes, stem: str) -> None:
    made = {volumes.create(name=f"{stem}-{n}", size_bytes=GIB).id for n in range(5)}
    first = volumes.list(page_size=2, name_contains=stem)
    assert (len(first.items), first.next_cursor is None) == (2, False)
    listed = [each.id for each in first]
    assert (set(listed), len(listed)) == (made, 5)


def test_a_name_that_is_taken_and_no_size_are_refused_and_one_that_is_deleted_has_gone(volumes, stem: str) -> None:
    made = volumes.create(name=stem, size_bytes=GIB)
    with pytest.raises(errors.ConflictError):
        volumes.create(name=stem, size_bytes=GIB)
    with pytest.raises(errors.ConflictError):
        volumes.clone(stem, name=stem)
    with pytest.raises((errors.BadRequestError, errors.UnprocessableEntityError)):
        volumes.create(name=f"{stem}-none", size_bytes=0)
    assert volumes.delete(stem) is None
    with pytest.raises(errors.NotFoundError):
        volumes.retrieve(made.id)
    with pytest.raises(errors.NotFoundError):
        volumes.clone(stem, name=f"{stem}-clone")
