#!/usr/bin/env python3
"""screenshot.py WIDTHxHEIGHT SECONDS URL FILE.png -- what Chromium shows of a page after so long, by chromedriver"""
import base64
import json
import subprocess
import sys
import time
import urllib.request

size, seconds, url, path = sys.argv[1:]
driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
try:
    port = next(line.split()[-1].rstrip(".") for line in driver.stdout if "successfully on port" in line)

    def ask(way, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{port}/session{way}", data, method=method)
        return json.load(urllib.request.urlopen(request, timeout=120))["value"]

    words = ["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=" + size.replace("x", ",")]
    session = "/" + ask("", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": words}}}})["sessionId"]
    ask(session + "/url", {"url": url})
    time.sleep(float(seconds))
    picture = base64.b64decode(ask(session + "/screenshot"))
    ask(session, method="DELETE")
    with open(path, "wb") as file:
        file.write(picture)
finally:
    driver.terminate()
