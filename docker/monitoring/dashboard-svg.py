#!/usr/bin/env python3
"""Draws the panels of grafana-dashboard.json as an SVG, with the data of a Prometheus server.

Usage: dashboard-svg.py http://localhost:9090 MINUTES > dashboard.svg
For a picture without Grafana; needs nothing but Python 3.
"""
import json
import os
import re
import sys
import time
import urllib.parse
import urllib.request
from xml.sax.saxutils import escape

COLORS = ["#3274d9", "#e0752d", "#56a64b", "#b877d9", "#c4162a", "#8f8f8f"]
WIDTH, HEIGHT, COLUMNS, PLOT, MAX_SERIES = 400, 210, 3, 110, 5


def query(server, expr, start, end):
    expr = expr.replace("$__rate_interval", "30s").replace("$job", ".*")
    args = urllib.parse.urlencode({"query": expr, "start": start, "end": end, "step": 5})
    with urllib.request.urlopen(f"{server}/api/v1/query_range?{args}") as answer:
        return json.load(answer)["data"]["result"]


def label(legend, metric):
    return re.sub(r"\{\{(\w+)\}\}", lambda m: metric.get(m.group(1), ""), legend)


def number(value, unit):
    factor = 1024 if unit in ("bytes", "Bps") else 1000
    for prefix in ("", "k", "M", "G", "T"):
        if abs(value) < factor or prefix == "T":
            return f"{value:.3g}{prefix}"
        value /= factor


def panel(server, panel, x, y, start, end):
    unit = panel["fieldConfig"]["defaults"]["unit"]
    series = []
    for target in panel["targets"]:
        for result in query(server, target["expr"], start, end):
            points = [(t, float(v)) for t, v in result["values"] if v != "NaN"]
            if points:
                series.append((label(target["legendFormat"], result["metric"]), points))
    series.sort(key=lambda s: -s[1][-1][1])
    top = max([v for _, points in series for _, v in points] + [1e-9]) * 1.1
    out = [f'<g transform="translate({x},{y})">']
    out.append(f'<rect width="{WIDTH - 10}" height="{HEIGHT - 10}" fill="#fff" stroke="#d0d0d0"/>')
    out.append(f'<text x="8" y="16" font-weight="bold">{escape(panel["title"])} [{unit}]</text>')
    for part in (0, 0.5, 1):
        at = 26 + PLOT * (1 - part)
        out.append(f'<line x1="52" x2="{WIDTH - 18}" y1="{at}" y2="{at}" stroke="#e8e8e8"/>')
        out.append(f'<text x="48" y="{at + 4}" text-anchor="end">{number(top * part, unit)}</text>')
    for i, (name, points) in enumerate(series[:MAX_SERIES]):
        path = " ".join(
            f"{52 + (WIDTH - 70) * (t - start) / (end - start):.1f},{26 + PLOT * (1 - v / top):.1f}"
            for t, v in points)
        color = COLORS[i % len(COLORS)]
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        text = f"{name[:46]}: {number(points[-1][1], unit)}"
        out.append(f'<text x="10" y="{26 + PLOT + 16 + 11 * i}" fill="{color}">{escape(text)}</text>')
    if not series:
        out.append(f'<text x="{WIDTH / 2}" y="80" text-anchor="middle">no data</text>')
    out.append("</g>")
    return "\n".join(out)


def main(server, minutes):
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "grafana-dashboard.json"), encoding="utf-8") as file:
        panels = json.load(file)["panels"]
    end = time.time()
    start = end - 60 * minutes
    rows = (len(panels) + COLUMNS - 1) // COLUMNS
    size = (WIDTH * COLUMNS, HEIGHT * rows)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
          f'font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="#f4f5f5"/>')
    for i, one in enumerate(panels):
        print(panel(server, one, 5 + WIDTH * (i % COLUMNS), 5 + HEIGHT * (i // COLUMNS), start, end))
    print("</svg>")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
