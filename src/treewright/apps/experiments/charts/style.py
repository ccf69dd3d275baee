"""The colours and fonts of charts and pages, for light and dark backgrounds."""

from __future__ import annotations

LIGHT = ("#0b62a8", "#c2500a", "#0a7a52", "#a1286a", "#6a51a3", "#8a6a00", "#1596a8", "#b3261e", "#4d5a66", "#5f7f13")
DARK = ("#6cb6ff", "#ff9f5a", "#55d6a0", "#ff8ac4", "#bda7ff", "#e3c04b", "#5cd5e6", "#ff8a80", "#aab6c2", "#b6d65a")

STYLE = """\
:root{color-scheme:light dark;--ink:#1b1f24;--ground:#fff;--faint:#57606a;--line:#d0d7de;--soft:#f4f6f8;--grid:#e6eaee;\
--link:#0a58b5;LIGHT}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--ground:#0d1117;--faint:#a0aab5;--line:#30363d;--soft:#161b22;\
--grid:#242b33;--link:#79b8ff;DARK}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem;max-width:84rem;color:var(--ink);background:var(--ground);
font:15px/1.5 system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,'Noto Sans',sans-serif}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .4rem}h2{font-size:1.15rem;margin:2.2rem 0 .6rem}
h3{font-size:1rem;margin:1.4rem 0 .4rem}a{color:var(--link)}
p{max-width:62rem;margin:.4rem 0}.note,.state{color:var(--faint)}
nav{margin:1rem 0;padding:.5rem 0;border:solid var(--line);border-width:1px 0}
nav{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem;margin:.4rem 0}
th,td{padding:.28rem .7rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--grid)}
th{color:var(--faint);font-weight:600;border-bottom-color:var(--line)}
th:first-child,td:first-child,.text{text-align:left}
tbody tr:hover{background:var(--soft)}td.best{font-weight:700}td.up{color:var(--s2)}td.down{color:var(--s7)}
details>summary{cursor:pointer;font-weight:600;font-size:1.15rem;margin:2rem 0 .6rem}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:1rem}
.panels.few{grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),34rem))}
.legend{list-style:none;margin:.4rem 0 .6rem;padding:0;display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;font-size:.88rem}
.legend li{display:flex;align-items:center;gap:.4rem}
.chart{display:block;width:100%;height:auto;font-family:inherit}.chart.key{width:28px;height:12px;flex:none}
.chart text{font-size:11px;fill:var(--ink)}.chart .title{font-size:13px;font-weight:600}
.chart .tick{fill:var(--faint);font-size:10.5px}.chart .name{fill:var(--faint);font-size:11.5px}
.chart .mid,.chart .value{text-anchor:middle}.chart .end{text-anchor:end}
.chart .grid{stroke:var(--grid);fill:none}.chart .axis{stroke:var(--line);fill:none}
.chart .line{fill:none;stroke:var(--c);stroke-width:1.8;stroke-linejoin:round}
.chart .spread{stroke:var(--c);stroke-width:1.2;opacity:.6}
.chart .dot{fill:var(--c);stroke:var(--ground);stroke-width:.8}
.chart .m1 .line{stroke-dasharray:10 3}.chart .m2 .line{stroke-dasharray:9 3 2 3}
.chart .m3 .line{stroke-dasharray:2 2.5}.chart .m4 .line{stroke-dasharray:9 3 2 3 2 3}
.chart .dashed .line{stroke-dasharray:5 3.5}.chart .dashed .dot{fill:var(--ground);stroke:var(--c);stroke-width:1.6}
"""


def style_sheet() -> str:
    """Return the style sheet of a report."""
    light, dark = (";".join(f"--s{k}:{c}" for k, c in enumerate(colours)) for colours in (LIGHT, DARK))
    classes = "".join(f".s{k}{{--c:var(--s{k})}}" for k in range(len(LIGHT)))
    return STYLE.replace("LIGHT", light).replace("DARK", dark) + classes
