"""The adapter of Python's urllib.robotparser. It needs Python 3.9."""

import base64
import json
import sys
from urllib.robotparser import RobotFileParser


def text(octets):
    data = octets.encode() if isinstance(octets, str) else base64.b64decode(octets["base64"])
    return data.decode("utf-8")  # strictly, as RobotFileParser.read does


def answer(q):
    if q.get("status", 200) != 200:
        return {"skip": "reads the status by itself"}
    parser = RobotFileParser()
    parser.parse(text(q["robots"]).splitlines())
    return {"verdict": "allow" if parser.can_fetch(text(q["agent"]), text(q["url"])) else "disallow"}


for line in sys.stdin.buffer:
    q = json.loads(line)
    try:
        a = answer(q)
    except ValueError as error:
        a = {"error": str(error)}
    print(json.dumps({"id": q["id"], **a}), flush=True)
