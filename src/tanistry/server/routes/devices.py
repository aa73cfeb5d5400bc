"""The device that asks, a browser or a program: the cookies by which it is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request, Response

from tanistry.server.guards import address_of
from tanistry.server.routes.dependencies import Session, Worker, is_secure
from tanistry.server.sessions import COOKIE_DAYS, cookie_name, device_cookie_name


@dataclass(frozen=True)
class Device:
    """Where a request comes from, and where its answer goes."""

    worker: Worker
    request: Request
    response: Response

    @property
    def address(self) -> str:
        return address_of(self.request.scope)

    def take(self, what: str) -> None:
        """Count something that its address asks for; a refusal if it is one too many."""
        self.worker.limits.take(what, self.address)

    @property
    def cookie(self) -> str | None:
        """What it was given when somebody signed in to an account here."""
        return self.request.cookies.get(device_cookie_name(is_secure(self.request)))

    async def begin_session(self, player: str, *ended: str, password: str | None = None) -> None:
        """A new cookie; the sessions that end by it take their sockets along."""
        agent = self.request.headers.get("user-agent", "")
        fresh = await self.worker.people.sessions.begin(player, agent, ended, password)
        self._set_cookie(cookie_name(is_secure(self.request)), fresh)
        self.worker.end_sockets(*ended)

    async def open_account(self, player: str, *ended: str, password: str | None = None) -> None:
        """The same for an account, which this device is known to have opened from now on."""
        await self.begin_session(player, *ended, password=password)
        known = self.worker.people.devices.cookie(player)
        self._set_cookie(device_cookie_name(is_secure(self.request)), known)

    async def open_only_here(self, player: str) -> None:
        """The same; wherever else they are signed in, they are no longer."""
        await self.open_account(player, *await self.worker.people.sessions.ids_of(player))

    async def sign_in(
        self, before: Session, row: Any, *ended: str, password: str | None = None
    ) -> None:
        """Somebody is now this account, with what they played as a guest on this device."""
        if before is not None:
            if before.row.login is None:
                adopted = await self.worker.people.adopt(before.row.id, row.id)
                await self.worker.hall.moved(adopted)
            ended = (*ended, before.session)
        await self.open_account(row.id, *ended, password=password)

    async def sign_out(self, session: Session) -> None:
        """Nobody is here any more."""
        if session:
            await self.worker.end_sessions(session.session)
        secure = is_secure(self.request)
        self.response.delete_cookie(
            cookie_name(secure), path="/", httponly=True, samesite="lax", secure=secure
        )

    def _set_cookie(self, name: str, value: str) -> None:
        self.response.set_cookie(
            name,
            value,
            max_age=COOKIE_DAYS * 86_400,
            httponly=True,
            samesite="lax",
            secure=is_secure(self.request),
            path="/",
        )


async def _device(worker: Worker, request: Request, response: Response) -> Any:
    return Device(worker, request, response)


Here = Annotated[Device, Depends(_device)]
