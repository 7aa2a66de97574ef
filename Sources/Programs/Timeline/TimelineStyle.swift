/// The style of the pictures, with a light and a dark palette as the reader's system prefers. Shapes and line patterns
/// carry meaning beside the colours.
enum TimelineStyle {
    /// The style of the picture. `--z` is its vertical zoom factor; texts and marks keep their shape.
    static let css = """
        :root { color-scheme: light dark; --z: 1; --ground: #ffffff; --ink: #1b1f24; --faint: #59636e; --line: #d0d7de;
          --panel: #f6f8fa; --run: #8c959f; --reach: #b6e3c5; --cond: #f2cc60; --replied: #1a7f37; --delivered: #0969da;
          --failed: #cf222e; --sent: #9a6700; --received: #8250df; --queued: #57606a; --coalesced: #57606a; --bulk: #9aa4ae; }
        @media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --ink: #e6edf3; --faint: #9198a1; --line: #30363d;
          --panel: #161b22; --run: #6e7681; --reach: #1f4d2c; --cond: #9e7a1a; --replied: #3fb950; --delivered: #58a6ff;
          --failed: #ff7b72; --sent: #d29922; --received: #bc8cff; --queued: #9198a1; --coalesced: #9198a1; --bulk: #656d76; } }
        svg text { font: 11px ui-monospace, "DejaVu Sans Mono", monospace; fill: var(--faint); }
        svg .name { font-size: 13px; font-weight: bold; fill: var(--ink); }
        #picture text, #picture path { transform: scaleY(calc(1 / var(--z))); transform-box: fill-box; transform-origin: center; }
        #picture line { vector-effect: non-scaling-stroke; }
        .ground { fill: var(--ground); }
        .life { stroke: var(--line); stroke-width: 2; stroke-dasharray: 2 6; }
        .running { fill: var(--run); } .reachable { fill: var(--reach); } .condition { fill: var(--cond); }
        .gap { stroke: var(--line); stroke-dasharray: 1 5; }
        .mark-fault { fill: var(--cond); stroke: var(--ink); stroke-width: .5; } .mark-start { fill: var(--replied); }
        .mark-stop { fill: var(--queued); } .mark-crash, .mark-trouble, .mark-parting { fill: var(--failed); }
        .mark-difference { fill: var(--sent); } .parting { stroke: var(--failed); stroke-dasharray: 8 4; }
        svg .parting-text { fill: var(--failed); font-weight: bold; paint-order: stroke; stroke: var(--ground); stroke-width: 4; }
        .package line { stroke-width: 1.5; stroke: currentColor; } .package path { fill: currentColor; }
        .package .answer { stroke-dasharray: 6 3; } .package line.late { stroke-dasharray: 1 4; }
        .package path.late { fill: var(--ground); stroke: currentColor; } .package .hit { stroke: transparent; stroke-width: 9; }
        .package:hover line, .package:focus line, .package.chosen line { stroke-width: 3; }
        .package .hit, .package:hover .hit, .package:focus .hit, .package.chosen .hit { stroke: transparent; stroke-width: 9; }
        .package:focus { outline: none; }
        .package:focus .hit, .package.chosen .hit { stroke: var(--line); opacity: .6; }
        .s-replied { color: var(--replied); } .s-delivered { color: var(--delivered); } .s-failed { color: var(--failed); }
        .s-sent { color: var(--sent); } .s-received { color: var(--received); } .s-queued { color: var(--queued); }
        .s-coalesced { color: var(--coalesced); } .hidden { display: none; }
        """

    /// The style of a page with several pictures.
    static let comparison = """
        body { margin: 0 auto; max-width: 1100px; padding: 0 1rem 2rem; background: var(--ground); color: var(--ink);
          font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; } h1 { font-size: 1.2rem; } h2 { font-size: 1.05rem; }
        li { overflow-wrap: anywhere; font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; }
        .picture { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; } .picture svg { display: block; }
        """

    static let page = """
        * { box-sizing: border-box; } body { margin: 0; background: var(--ground); color: var(--ink); --top: 9rem;
          font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; }
        header { position: sticky; top: 0; z-index: 2; background: var(--panel); border-bottom: 1px solid var(--line);
          padding: .6rem 1rem; } h1 { font-size: 1.05rem; margin: 0 0 .3rem; }
        fieldset { border: 0; padding: 0; margin: 0; display: inline; }
        legend { float: left; padding-right: .5rem; color: var(--faint); } label { margin-right: .8rem; white-space: nowrap; }
        .row { margin: .15rem 0; } #find { width: 22rem; max-width: 100%; } #find, button { font: inherit; color: var(--ink);
          background: var(--ground); border: 1px solid var(--line); border-radius: 4px; padding: .1rem .45rem; }
        main { display: grid; grid-template-columns: 5rem minmax(0, 1fr) 22rem; gap: 1rem; padding: 0 1rem 1rem; }
        #overview { position: sticky; top: calc(var(--top) + .6rem); height: calc(100vh - var(--top) - 1.6rem); cursor: crosshair;
          border: 1px solid var(--line); border-radius: 4px; background: var(--panel); touch-action: none; overflow: hidden; }
        #overview:focus-visible { outline: 2px solid var(--delivered); }
        #strip { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
        #strip .all { fill: var(--bulk); } #strip .bad { fill: var(--failed); } #strip .fault { fill: var(--cond); }
        #window, #range { position: absolute; left: 0; right: 0; pointer-events: none; border: 2px solid var(--delivered);
          border-radius: 3px; min-height: 4px; } #range { border-style: dashed; background: color-mix(in srgb, var(--delivered) 25%, transparent); }
        .names { position: sticky; top: var(--top); z-index: 1; height: 1.7rem; background: var(--ground);
          border-bottom: 1px solid var(--line); font-weight: bold; font-size: 13px; }
        .names span { position: absolute; transform: translateX(-50%); white-space: nowrap; top: .25rem; }
        #picture { width: 100%; max-width: 1100px; display: block; } section { min-width: 0; max-width: 1100px; }
        aside { position: sticky; top: calc(var(--top) + .6rem); align-self: start; border: 1px solid var(--line); border-radius: 6px;
          padding: .8rem; background: var(--panel); overflow-wrap: anywhere; max-height: calc(100vh - var(--top) - 1.6rem); overflow: auto; }
        dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .8rem; margin: 0; } dt { color: var(--faint); }
        dd { margin: 0; font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; } kbd { border: 1px solid
          var(--line); border-radius: 3px; padding: 0 .3em; font-size: 12px; } .swatch { display: inline-block; width: 1.4em;
          border-top: 3px solid currentColor; vertical-align: middle; margin-right: .3em; } .keys { color: var(--faint); }
        @media (max-width: 60rem) { main { grid-template-columns: 2.4rem minmax(0, 1fr); gap: .5rem; padding: 0 .5rem .5rem; }
          aside { position: sticky; grid-column: 1 / -1; bottom: 0; top: auto; max-height: 30vh; }
          #overview { height: calc(68vh - var(--top) - 1rem); } .keys { display: none; }
          header { padding: .4rem .6rem; } .names { font-size: 10px; } #picture text { font-size: 20px; } }
        """
}
