"""The manifests in docs/deploy hold together: they parse, name each other, and give a drain the time it needs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from typer.main import get_command

from pipecat_interrupt.cli.app import app
from pipecat_interrupt.serve.config import Limits

pytestmark = pytest.mark.unit

DEPLOY = Path(__file__).resolve().parents[2] / "docs" / "deploy"
FILES = sorted(DEPLOY.rglob("*.yaml"))


def load(path: Path) -> list[dict[str, Any]]:
    return [part for part in YAML(typ="safe", pure=True).load_all(path.read_text(encoding="utf-8")) if part]


def kinds(kind: str) -> list[dict[str, Any]]:
    return [part for path in FILES for part in load(path) if part.get("kind") == kind]


def worker_arguments() -> list[list[str]]:
    (deployment,) = kinds("Deployment")
    return [
        load(DEPLOY / "compose.yaml")[0]["services"]["worker"]["command"],
        deployment["spec"]["template"]["spec"]["containers"][0]["args"],
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_manifest_is_yaml_with_a_kind_or_services(path: Path) -> None:
    """Nothing half-written."""
    parts = load(path)

    assert parts
    assert all({"apiVersion", "kind", "metadata"} <= part.keys() or "services" in part for part in parts)


def test_the_workers_commands_name_options_that_exist() -> None:
    """A manifest that no longer fits the command line fails here and not in a cluster."""
    known = {name for parameter in get_command(app).commands["serve"].params for name in parameter.opts}  # type: ignore[attr-defined]

    for arguments in worker_arguments():
        given = {argument.split("=")[0] for argument in arguments if argument.startswith("--")}
        assert arguments[0] == "serve"
        assert given <= known


def test_a_stop_leaves_running_calls_the_time_a_drain_takes() -> None:
    """drain_s + guard_s + cancel_s fit into the grace period of both."""
    limits = Limits()
    (deployment,) = kinds("Deployment")
    compose = load(DEPLOY / "compose.yaml")[0]["services"]["worker"]["stop_grace_period"]
    graces = [int(compose.removesuffix("s")), deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]]

    for arguments, grace_s in zip(worker_arguments(), graces, strict=True):
        found = re.search(r"--drain-s[= ](\d+)", " ".join(arguments))
        assert found is not None
        assert grace_s >= float(found[1]) + limits.guard_s + 2 * limits.cancel_s + 1


def test_no_secret_stands_in_a_manifest_and_workers_run_without_rights() -> None:
    """Secrets come by reference; the container writes nowhere but where it must."""
    text = "".join(path.read_text(encoding="utf-8") for path in FILES)
    (deployment,) = kinds("Deployment")
    container = deployment["spec"]["template"]["spec"]["containers"][0]

    assert not re.search(r"(TOKEN|KEY|SECRET)\s*[:=]\s*[\"']?[A-Za-z0-9]{8}", text)
    assert container["envFrom"] == [{"secretRef": {"name": "phone-secrets"}}]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert deployment["spec"]["template"]["spec"]["securityContext"]["runAsNonRoot"] is True


def test_figures_and_probes_are_not_reachable_from_outside() -> None:
    """The ingress names the webhook and the streams, and nothing else."""
    (ingress,) = kinds("Ingress")

    paths = [path["path"] for path in ingress["spec"]["rules"][0]["http"]["paths"]]

    assert paths == ["/twilio/voice", "/media/"]
