"""The adapter of three libraries for Python: urllib.robotparser, protego, or robotspy.

usage: python3 python.py urllib|protego|robotspy
"""

import base64
import json
import sys


def text(octets):
    data = octets.encode() if isinstance(octets, str) else base64.b64decode(octets["base64"])
    return data.decode("utf-8")  # strictly, as RobotFileParser.read does


def urllib(robots):
    from urllib.robotparser import RobotFileParser
    parser = RobotFileParser()
    parser.parse(robots.splitlines())
    return lambda agent, url: parser.can_fetch(agent, url)


def protego(robots):
    from protego import Protego
    parser = Protego.parse(robots)
    return lambda agent, url: parser.can_fetch(url, agent)


def robotspy(robots):
    from robots import RobotsParser
    parser = RobotsParser.from_string(robots)
    return lambda agent, url: parser.can_fetch(agent, url)


parse = {"urllib": urllib, "protego": protego, "robotspy": robotspy}[sys.argv[1]]
parse("")  # if the library is missing, fail now instead of at each question
for line in sys.stdin.buffer:
    q = json.loads(line)
    a = {"id": q["id"]}
    try:
        if q.get("status", 200) != 200:
            a["skip"] = "takes no status"
        else:
            allowed = parse(text(q["robots"]))(text(q["agent"]), text(q["url"]))
            a["verdict"] = "allow" if allowed else "disallow"
    except ValueError as error:
        a["error"] = str(error)
    print(json.dumps(a), flush=True)
