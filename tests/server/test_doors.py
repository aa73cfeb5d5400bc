"""What has come is handed over where it was read, once, and to nobody who has gone away."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import Context, ContextVar
from typing import Any

from tanistry.server.doors import Post


async def take(post: Post, taken: list[Any], messages: int = 1) -> None:
    for _ in range(messages):
        taken.append(await post.get())


def run(body: Coroutine[Any, Any, None]) -> None:
    async def within_a_second() -> None:
        await asyncio.wait_for(body, 1)

    asyncio.run(within_a_second())


def read(post: Post, *messages: str) -> asyncio.Future[list[str]]:
    """Put messages into the post as a transport does, not within a task."""
    loop = asyncio.get_running_loop()
    left: asyncio.Future[list[str]] = loop.create_future()

    def callback() -> None:
        for message in messages:
            post.put_nowait(message)
        post.deliver()
        left.set_result([post.get_nowait() for _ in range(post.qsize())])

    loop.call_soon(callback)
    return left


def test_who_waits_goes_on_where_it_was_read() -> None:
    async def body() -> None:
        post, taken = Post(), list[Any]()
        task = asyncio.create_task(take(post, taken))
        await asyncio.sleep(0)
        assert await read(post, "1", "2") == ["2"], "taken within the callback, one message"
        assert taken == ["1"]
        await task

    run(body())


def test_it_goes_on_as_the_task_it_is() -> None:
    async def body() -> None:
        post, found = Post(), list[Any]()

        async def look() -> None:
            await post.get()
            found.append(asyncio.current_task())
            async with asyncio.timeout(1):
                await asyncio.sleep(0)

        task = asyncio.create_task(look())
        await asyncio.sleep(0)
        await read(post, "1")
        assert found == [task]
        await task

    run(body())


def test_what_comes_while_nobody_waits_is_kept_in_order() -> None:
    async def body() -> None:
        post, taken = Post(), list[Any]()
        for message in "123":
            post.put_nowait(message)
            post.deliver()
        await take(post, taken, 3)
        assert taken == ["1", "2", "3"]

    run(body())


def test_who_takes_it_stays_in_its_own_context() -> None:
    """Though nothing was in it yet: an empty context is as good as another."""
    told: ContextVar[str] = ContextVar("told")

    async def look(post: Post) -> None:
        await post.get()
        token = told.set("x")
        await asyncio.sleep(0)
        assert told.get() == "x"
        told.reset(token)

    async def body() -> None:
        post = Post()
        task = asyncio.get_running_loop().create_task(look(post), context=Context())
        await asyncio.sleep(0)
        await read(post, "1")
        await task

    run(body())


def test_what_a_task_delivers_waits_for_the_next_turn() -> None:
    """One task cannot run inside another."""

    async def body() -> None:
        post, taken = Post(), list[Any]()
        task = asyncio.create_task(take(post, taken))
        await asyncio.sleep(0)
        post.put_nowait("1")
        post.deliver()
        assert taken == []
        await task
        assert taken == ["1"]

    run(body())


def test_what_nobody_delivers_comes_by_itself() -> None:
    """A connection that is lost, or a server that ends: from within whichever task."""

    async def body() -> None:
        post, taken = Post(), list[Any]()
        task = asyncio.create_task(take(post, taken))
        await asyncio.sleep(0)
        post.put_nowait("gone")
        assert taken == []
        await task
        assert taken == ["gone"]

    run(body())


def test_nothing_is_lost_with_who_gives_up() -> None:
    async def body() -> None:
        post, taken = Post(), list[Any]()
        task = asyncio.create_task(take(post, taken))
        await asyncio.sleep(0)
        task.cancel()
        assert await read(post, "1") == ["1"]
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        task = asyncio.create_task(take(post, taken))
        await asyncio.sleep(0)
        await read(post, "2")
        await task
        assert taken == ["2"]

    run(body())
