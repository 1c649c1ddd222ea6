"""Drivers of third-party engines, one per protocol."""

from parlour.engines.drivers.cdc import CdcDriver
from parlour.engines.drivers.driver import Driver
from parlour.engines.drivers.gtp import GtpDriver
from parlour.engines.drivers.uci import UciDriver, UgiDriver
from parlour.engines.protocols import CDC, GTP, UCI, UGI

DRIVERS: dict[str, type[Driver]] = {
    GTP: GtpDriver,
    CDC: CdcDriver,
    UCI: UciDriver,
    UGI: UgiDriver,
}
