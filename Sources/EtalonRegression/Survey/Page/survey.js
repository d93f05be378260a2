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
