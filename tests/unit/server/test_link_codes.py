"""QR codes of links: for those who keep a table, of addresses alone."""

from tests.table_server import house


def test_link_is_drawn_for_a_keeper_alone() -> None:
    """A keeper gets an SVG of an address; nobody without a token does, no camera does, and no other text is drawn."""
    with house() as running:
        table = running.make(start=False)
        link = {"text": f"https://192.168.0.2:8420/camera/{table.id}#token=x"}

        def ask(body: dict[str, str], who: str | None) -> tuple[int, str]:
            headers = table.headers[who] if who else {}
            answer = running.client.post("/api/v1/qr", json=body, headers=headers)
            return answer.status_code, answer.headers["content-type"]

        assert ask(link, "keeper") == (200, "image/svg+xml")
        assert ask(link, "judge")[0] == 200
        assert ask(link, "camera")[0] == 403
        assert ask(link, None)[0] == 401
        assert ask({"text": "javascript:alert(1)"}, "keeper")[0] == 422
