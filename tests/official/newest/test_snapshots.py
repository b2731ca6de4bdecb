"""Snapshots of sandboxes, built of an image."""

import time

import pytest
from langsmith import _exceptions as errors
from langsmith._client import Langsmith
from langsmith.types import SnapshotResponse

GIB = 1024**3
RUN_CONFIG = {"user": "agent", "work_dir": "/work", "env_vars": {"LANG": "C.UTF-8"}}


@pytest.fixture
def snapshots(client: Langsmith):
    return client.sandboxes.snapshots


def build(snapshots, name: str, **more: object) -> SnapshotResponse:
    return snapshots.create(name=name, docker_image="python:3.12-slim", fs_capacity_bytes=4 * GIB, **more)


def built(snapshots, snapshot_id: str) -> SnapshotResponse:
    until = time.monotonic() + 20
    while (read := snapshots.retrieve(snapshot_id)).status == "building" and time.monotonic() < until:
        time.sleep(0.1)
    return read


def test_one_is_built_and_read_by_id_and_by_name_with_all_that_it_was_given_until_it_is_deleted(
    snapshots, stem: str
) -> None:
    described = {"description": "Python with a compiler", "run_config": RUN_CONFIG}
    made = build(snapshots, stem, tag="v1", labels={"team": "support"}, **described)
    read = built(snapshots, made.id)
    assert (read.status, read.name, read.tags, read.labels["team"]) == ("ready", stem, ["v1"], "support")
    assert read.image_digest.startswith("sha256:")
    assert snapshots.retrieve(f"{stem}:v1") == read
    assert read.description == "Python with a compiler"
    assert (read.run_config.user, read.run_config.work_dir) == ("agent", "/work")
    assert list(read.run_config.env_vars) == ["LANG"]
    assert snapshots.delete(made.id) is None
    with pytest.raises(errors.NotFoundError):
        snapshots.retrieve(made.id)


def test_a_description_has_a_limit(snapshots, stem: str) -> None:
    with pytest.raises((errors.BadRequestError, errors.UnprocessableEntityError)):
        build(snapshots, stem, description="x" * 1025)


def test_a_list_is_read_page_by_page_to_its_end(snapshots, stem: str) -> None:
    made = {build(snapshots, stem, tag=f"v{n}").id for n in range(5)}
    first = snapshots.list(page_size=2, name_contains=stem)
    assert (len(first.items), first.next_cursor is None) == (2, False)
    listed = [each.id for each in first]
    assert (set(listed), len(listed)) == (made, 5)


def test_a_list_has_those_of_a_label(snapshots, stem: str) -> None:
    wanted = build(snapshots, stem, tag="a", labels={"team": stem}).id
    build(snapshots, stem, tag="b", labels={"team": "another"})
    assert [each.id for each in snapshots.list(label=[f"team={stem}"])] == [wanted]


def test_a_tag_moves_to_the_newest_of_a_name(snapshots, stem: str) -> None:
    older, other = build(snapshots, stem, tag="v1"), build(snapshots, stem, tag="v2")
    newer = build(snapshots, stem, tag="v1")
    tags = {each.tag: each.snapshot_id for each in snapshots.retrieve_by_name(stem).tags}
    assert tags == {"v1": newer.id, "v2": other.id}
    assert snapshots.retrieve(older.id).tags == []


def test_an_unknown_name_is_not_found(snapshots, stem: str) -> None:
    with pytest.raises(errors.NotFoundError):
        snapshots.retrieve_by_name(stem)
