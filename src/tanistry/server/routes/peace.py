"""Keeping the peace: whom you have blocked, what you report, and what moderators do."""

from __future__ import annotations

from fastapi import APIRouter

from tanistry.server import belongings, blocks
from tanistry.server.answers.base import Done
from tanistry.server.answers.peace import Acts, NewInvitation, Peace
from tanistry.server.answers.people import Blocked, Kept, Player
from tanistry.server.bodies import (
    ClosedReport,
    Confirmation,
    EndedInvitation,
    EndedSanction,
    Farewell,
    Inviting,
    NewBlock,
    NewReport,
    NewSanction,
    RefusedName,
    ToRename,
)
from tanistry.server.info import Data
from tanistry.server.refusals import Refused
from tanistry.server.routes.dependencies import Host, Me, Moderator, Session, Worker, gives
from tanistry.server.routes.devices import Here

routes = APIRouter(tags=["peace"])


@routes.get("/me/blocks", **gives(Blocked))
async def my_blocks(worker: Worker, me: Me) -> Data:
    """Those whom you have blocked."""
    found = await blocks.blocked_by(worker.store, me.id)
    return {"players": [{"id": row.id, "name": row.name} for row in found]}


@routes.post("/me/blocks", **gives(Done, 201))
async def block_somebody(worker: Worker, me: Me, body: NewBlock) -> Data:
    """Keep apart from somebody: no talk, no table together, no watching each other."""
    await blocks.block(worker.hall, me.id, body.player)
    return {"ok": True}


@routes.delete("/me/blocks/{player}", **gives(Done))
async def unblock_somebody(worker: Worker, me: Me, player: str) -> Data:
    """Be free to meet somebody again."""
    if not player.isprintable():
        raise Refused("player/unknown")
    await blocks.unblock(worker.hall, me.id, player)
    return {"ok": True}


@routes.post("/reports", **gives(Done, 201))
async def report_somebody(worker: Worker, me: Me, body: NewReport) -> Data:
    """Tell the moderators of somebody; the last lines at that table come with it."""
    live = await worker.hall.get(body.table)
    if live.info.seat_of(me.id) is None and live.info.hidden:
        raise Refused("table/no-spectators")
    await worker.moderation.report(me, body.player, live.info, body.why, body.note)
    return {"ok": True}


@routes.post("/invitations", **gives(Player, 201))
async def accept_invitation(
    worker: Worker, before: Session, here: Here, body: Confirmation
) -> Data:
    """Come in by an invitation: you are a guest then, if you were nobody."""
    here.take("logins")
    row = before.row if before else None
    if row is None:
        await worker.moderation.accept(body.token)
        row = await worker.people.new_guest()
        await here.begin_session(row.id)
    return await worker.people.data(row, own=True)


@routes.get("/me/data", **gives(Kept))
async def my_data(worker: Worker, me: Me, here: Here) -> Data:
    """All that the server keeps of you, as JSON."""
    here.take("logins")
    return await belongings.everything(worker.store, me)


@routes.post("/me/deletion", **gives(Done))
async def delete_me(worker: Worker, me: Me, here: Here, body: Farewell) -> Data:
    """Take everything away that says who you were; your finished matches stay, anonymous."""
    here.take("logins")
    if me.login is not None:
        await worker.people.check_owner(me, body.password)
    ended = await worker.people.sessions.ids_of(me.id)
    await worker.hall.moved(await belongings.erase(worker.store, me.id))
    worker.end_sockets(*ended)
    return {"ok": True}


# -- for moderators -------------------------------------------------------------------------------


@routes.get("/moderation", **gives(Peace))
async def look_after(worker: Worker, _moderator: Moderator) -> Data:
    """For moderators: reports that wait, mutes and bans that hold, names that are refused."""
    return {
        "reports": await worker.moderation.reports(),
        "sanctions": await worker.moderation.sanctions(),
        "names": await worker.moderation.names(),
        "invitations": await worker.moderation.invitations(),
        "invited": worker.config.invited,
    }


@routes.get("/moderation/acts", **gives(Acts))
async def who_did_what(worker: Worker, _moderator: Moderator) -> Data:
    """For moderators: what moderators and hosts did, the latest first."""
    return {"acts": await worker.moderation.acts()}


@routes.post("/moderation/sanctions", **gives(Done, 201))
async def sanction(worker: Worker, by: Moderator, body: NewSanction) -> Data:
    """For moderators: mute or ban somebody for so many hours."""
    if body.kind == "ban":
        await worker.ban(by, body.player, body.hours, body.reason, body.address)
    else:
        await worker.moderation.sanction(by, "mute", body.player, body.hours, body.reason)
    return {"ok": True}


@routes.post("/moderation/sanctions/ended", **gives(Done))
async def end_sanction(worker: Worker, by: Moderator, body: EndedSanction) -> Data:
    """For moderators: end a mute or a ban before its time."""
    await worker.moderation.lift(by, body.kind, body.player)
    await worker.look_for_bans()
    return {"ok": True}


@routes.post("/moderation/renames", **gives(Done))
async def take_name(worker: Worker, by: Moderator, body: ToRename) -> Data:
    """For moderators: take somebody's name away; they get one as guests do."""
    name, changed = await worker.moderation.rename(by, body.player)
    for connection in worker.connections:
        if connection.player == body.player:
            connection.name = name
    await worker.hall.moved(changed)
    return {"ok": True}


@routes.post("/moderation/names", **gives(Done))
async def refuse_name(worker: Worker, by: Moderator, body: RefusedName) -> Data:
    """For moderators: nobody may be called that, or something that holds it."""
    do = worker.moderation.refuse_name if body.refused else worker.moderation.allow_name
    await do(by, body.name)
    return {"ok": True}


@routes.post("/moderation/reports/closed", **gives(Done))
async def close_report(worker: Worker, by: Moderator, body: ClosedReport) -> Data:
    """For moderators: nothing more is to be done about a report."""
    await worker.moderation.close(by, body.report)
    return {"ok": True}


@routes.post("/moderation/invitations", **gives(NewInvitation, 201))
async def invite(worker: Worker, by: Host, body: Inviting) -> Data:
    """For hosts: a link by which so many people may come in."""
    return {"token": await worker.moderation.invite(by, body.note, body.people, body.days)}


@routes.post("/moderation/invitations/ended", **gives(Done))
async def end_invitation(worker: Worker, by: Host, body: EndedInvitation) -> Data:
    """For hosts: a link is good no more."""
    await worker.moderation.uninvite(by, body.invitation)
    return {"ok": True}
