"""Which hosts a hand-off must not be posted to, told from the url alone.

Owns the reading of a host as resolvers read it: without its last dot, with full-width letters and digits folded, and an
address in any of the forms that some of them take (one number, octal, hexadecimal, fewer parts, inside an IPv6 one).

A name is not resolved: what it stands for may change between the check and the request. Whoever sets the url names a
receiver that is trusted with health data; this holds off the slips and the settings copied from elsewhere.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

METADATA_NAMES = frozenset(
    {
        "metadata",
        "metadata.google.internal",
        "metadata.goog",
        "metadata.azure.internal",
        "metadata.internal",
        "instance-data",
        "instance-data.ec2.internal",
        "metadata.tencentyun.com",
        "metadata.platformequinix.com",
        "metadata.packet.net",
    }
)
METADATA_ADDRESSES = frozenset(
    ip_address(text)
    for text in (
        "169.254.169.254",  # most clouds
        "169.254.169.253",  # the resolver beside it
        "169.254.170.2",  # credentials of a container's task
        "169.254.170.23",  # credentials of a pod
        "169.254.0.23",
        "168.63.129.16",  # the host's own service; in the public range
        "100.100.100.200",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fd00:42::42",
    )
)
_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
_LAST_32_BITS = 0xFFFF_FFFF
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a host is none of the public network.

    Parameters:
        why: Completes "the host is ...".
        always: Also where addresses inside one's own network are allowed.
    """

    why: str
    always: bool


_METADATA = Refusal("a cloud's metadata service", always=True)
_ODD = Refusal("no address in its usual form; write it as four decimal numbers, or as IPv6", always=True)
_PRIVATE = Refusal("not on the public network", always=False)


def is_this_machine(host: str) -> bool:
    """Whether a host is this machine, written in the usual way."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def why_not(host: str) -> Refusal | None:
    """Say why a hand-off must not go to a host; None for a public name or address, and for this machine.

    Args:
        host: The host of a url, without brackets.
    """
    folded = unicodedata.normalize("NFKC", host).replace("\u3002", ".").strip().rstrip(".").lower()
    if folded in METADATA_NAMES:
        return _METADATA
    try:
        address = ip_address(folded.partition("%")[0])
    except ValueError:
        return _of_odd_form(folded)
    every = (address, *_embedded(address))
    if any(_is_metadata(one) for one in every):
        return _METADATA
    if folded != host.lower() and folded != host.lower().rstrip("."):
        return _ODD
    if address.is_loopback:
        return None
    return None if all(one.is_global and not one.is_multicast for one in every) else _PRIVATE


def _is_metadata(address: IPv4Address | IPv6Address) -> bool:
    return address in METADATA_ADDRESSES


def _of_odd_form(host: str) -> Refusal | None:
    """Refuse an address as only some resolvers read it, whatever it stands for; a name is taken."""
    parts = host.split(".")
    if "%" in host:
        return _ODD
    if not _NUMBER.fullmatch(parts[-1]):
        return None  # no name's last part is a number
    address = _as_inet_aton(parts)
    return _METADATA if address is not None and _is_metadata(address) else _ODD


def _as_inet_aton(parts: list[str]) -> IPv4Address | None:
    """Read one to four numbers, each decimal, octal or hexadecimal, the last one filling what is left."""
    try:
        numbers = [_number(part) for part in parts]
        if not 1 <= len(numbers) <= 4 or any(number > 255 for number in numbers[:-1]):
            return None
        value = numbers[-1]
        for position, number in enumerate(numbers[:-1]):
            value += number << (24 - 8 * position)
        return IPv4Address(value)
    except ValueError:
        return None


def _number(part: str) -> int:
    if len(part) > 16 or not _NUMBER.fullmatch(part):
        raise ValueError("no number")
    if part[:2] in ("0x", "0X"):
        return int(part[2:] or "0", 16)
    return int(part, 8 if part.startswith("0") and len(part) > 1 else 10)


def _embedded(address: IPv4Address | IPv6Address) -> list[IPv4Address]:
    """The IPv4 addresses inside an IPv6 one: mapped, compatible, NAT64, 6to4, Teredo's two, and ISATAP."""
    if isinstance(address, IPv4Address):
        return []
    last = IPv4Address(int(address) & _LAST_32_BITS)
    found = [one for one in (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())) if one is not None]
    if any(address in network for network in _NAT64) or 0xFFFF < int(address) <= _LAST_32_BITS:
        found.append(last)
    if (int(address) >> 32) & 0xFDFF_FFFF == 0x5EFE:
        found.append(last)
    return found
