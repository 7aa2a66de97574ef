/// The pictures' looks: two palettes, after what the reader's system prefers. Each status has a colour and a dash pattern of its
/// own, so that nobody has to tell colours apart.
enum TimelineStyle {
    static let css = """
        :root { color-scheme: light dark; --ground: #ffffff; --ink: #1b1f24; --faint: #6a737d; --line: #d0d7de;
          --panel: #f6f8fa; --run: #8c959f; --reach: #b6e3c5; --cond: #f2cc60; --replied: #1a7f37; --delivered: #0969da;
          --failed: #cf222e; --sent: #9a6700; --received: #8250df; --queued: #57606a; --coalesced: #57606a; }
        @media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --ink: #e6edf3; --faint: #8d96a0; --line: #30363d;
          --panel: #161b22; --run: #6e7681; --reach: #1f4d2c; --cond: #6b5000; --replied: #3fb950; --delivered: #58a6ff;
          --failed: #ff7b72; --sent: #d29922; --received: #bc8cff; --queued: #9198a1; --coalesced: #9198a1; } }
        svg text { font: 11px ui-monospace, "DejaVu Sans Mono", monospace; fill: var(--faint); }
        svg .name { font-size: 13px; font-weight: bold; fill: var(--ink); }
        .ground { fill: var(--ground); }
        .life { stroke: var(--line); stroke-width: 2; stroke-dasharray: 2 6; }
        .running { fill: var(--run); } .reachable { fill: var(--reach); } .condition { fill: var(--cond); }
        .gap { stroke: var(--line); stroke-dasharray: 1 5; }
        .mark-fault { fill: var(--cond); stroke: var(--ink); stroke-width: .5; } .mark-start { fill: var(--replied); }
        .mark-stop { fill: var(--queued); } .mark-crash, .mark-trouble { fill: var(--failed); }
        .package line { stroke-width: 1.5; stroke: currentColor; } .package path { fill: currentColor; }
        .package .answer { stroke-dasharray: 6 3; } .package .hit { stroke: transparent; stroke-width: 9; }
        .package:hover line, .package:focus line, .package.chosen line { stroke-width: 3; }
        .package .hit, .package:hover .hit, .package:focus .hit, .package.chosen .hit { stroke: transparent; stroke-width: 9; }
        .package:focus { outline: none; }
        .package:focus .hit, .package.chosen .hit { stroke: var(--line); opacity: .6; }
        .s-replied { color: var(--replied); } .s-delivered { color: var(--delivered); } .s-failed { color: var(--failed); }
        .s-sent { color: var(--sent); } .s-received { color: var(--received); } .s-queued { color: var(--queued); }
        .s-coalesced { color: var(--coalesced); } .hidden { display: none; }
        """

    static let page = """
        * { box-sizing: border-box; } body { margin: 0; background: var(--ground); color: var(--ink);
          font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; }
        header { position: sticky; top: 0; background: var(--panel); border-bottom: 1px solid var(--line); padding: .6rem 1rem; }
        h1 { font-size: 1.05rem; margin: 0 0 .3rem; } fieldset { border: 0; padding: 0; margin: 0; display: inline; }
        legend { float: left; padding-right: .5rem; color: var(--faint); } label { margin-right: .8rem; white-space: nowrap; }
        .row { margin: .15rem 0; } #find { width: 24rem; max-width: 100%; font: inherit; background: var(--ground); color: var(--ink);
          border: 1px solid var(--line); border-radius: 4px; padding: .1rem .4rem; }
        main { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: 1rem; padding: 1rem; }
        main svg { width: 100%; max-width: 1000px; height: auto; }
        aside { position: sticky; top: 8.5rem; align-self: start; border: 1px solid var(--line); border-radius: 6px; padding: .8rem;
          background: var(--panel); overflow-wrap: anywhere; max-height: calc(100vh - 9.5rem); overflow: auto; }
        dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .8rem; margin: 0; } dt { color: var(--faint); }
        dd { margin: 0; font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; } kbd { border: 1px solid
          var(--line); border-radius: 3px; padding: 0 .3em; font-size: 12px; } .swatch { display: inline-block; width: 1.4em;
          border-top: 3px solid currentColor; vertical-align: middle; margin-right: .3em; }
        @media (max-width: 60rem) { main { grid-template-columns: 1fr; } aside { position: sticky; bottom: 0; top: auto; order: 2; } }
        """
}
