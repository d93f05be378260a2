/// What the page of a survey looks like, and how it hides what nobody wants to see.
enum SurveyPageAssets {
  static let style = """

    :root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
    body { margin: 1.5rem; } h1 { font-size: 1.4rem; margin: 0; } h2 { font: 600 1rem ui-monospace, monospace; margin: 0; overflow-wrap: anywhere; }
    table { border-collapse: collapse; margin: 1rem 0; } td, th { border: 1px solid #8886; padding: .2rem .6rem; text-align: right; }
    td:first-child, th:first-child { text-align: left; }
    form { position: sticky; top: 0; background: Canvas; padding: .5rem 0; } fieldset { display: inline; border: 0; padding: 0; margin: 0 1rem 0 0; }
    label { margin-right: .7rem; white-space: nowrap; }
    section { border-top: 1px solid #8886; padding: .8rem 0; } section[hidden] { display: none; } p { margin: .1rem 0; color: GrayText; }
    p.reason { color: CanvasText; overflow-wrap: anywhere; }
    figure { display: inline-block; margin: .5rem .5rem 0 0; } figcaption { font-size: .8rem; color: GrayText; }
    img { display: block; image-rendering: pixelated; min-width: 160px;
      background: repeating-conic-gradient(#999 0 25%, #bbb 0 50%) 0 0 / 16px 16px; }
    pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8882; padding: .5rem; }
    b { border-radius: .3rem; padding: 0 .4rem; color: #fff; background: #777; }
    b.agrees, b.renders { background: #2a7d3f; } b.differs, b.failed, b.slow { background: #b3261e; } b.defect { background: #8a5a00; }
    b.unstable, b.flat, b.not-finite { background: #5b5bb0; }

    """

  static let script = """

    const form = document.forms[0], cards = [...document.querySelectorAll('section')];
    function show() {
      const on = name => new Set([...form.querySelectorAll(`input[name=${name}]:checked`)].map(box => box.value));
      const verdicts = on('verdict'), dialects = on('dialect'), text = form.querySelector('[type=search]').value.toLowerCase();
      for (const card of cards)
        card.hidden = !(verdicts.has(card.dataset.verdict) && dialects.has(card.dataset.dialect)
          && card.textContent.toLowerCase().includes(text));
      form.querySelector('output').value = cards.filter(card => !card.hidden).length + ' shown';
    }
    form.addEventListener('input', show); form.addEventListener('submit', event => event.preventDefault()); show();

    """
}
