// What the page knows, and who wants to hear of it. Modules change it through the functions here, and tell each other nothing else.
const listeners = new Map();

export const store = {
  /** What the server says about its subject: parameters, inputs, files; null before it spoke. */
  state: null,
  /** The text of each parameter's value, by name. */
  values: new Map(),
  /** Refusals by the name of the parameter: the text that was refused, and why. */
  refusals: new Map(),
  clock: { time: 0, frame: 0, playing: false, rate: 1, loop: null, dropped: 0 },
  /** The header of the frame on the page. */
  frame: null,
  /** What is wrong with the files. */
  diagnostics: [],
  /** The first error while there is no subject because of it; null otherwise. */
  problem: null,
  isConnected: false,
  /** The parameter that curves, keys and help are about. */
  selected: null,
};

/** Calls a function whenever something is told by a name. */
export function on(name, listener) {
  if (!listeners.has(name)) listeners.set(name, []);
  listeners.get(name).push(listener);
}

export function tell(name, detail) { for (const listener of listeners.get(name) ?? []) listener(detail); }

export function parameter(name) { return store.state?.parameters.find(candidate => candidate.name === name) ?? null; }

export function select(name) {
  if (store.selected === name) return;
  store.selected = name;
  tell("selected", name);
}

/** What a person likes, kept from one visit to the next. Pages whose storage is closed forget it. */
export const preferences = {
  get(name, otherwise) {
    try { return JSON.parse(localStorage.getItem(`etalon.${name}`)) ?? otherwise; } catch { return otherwise; }
  },
  set(name, value) {
    try { localStorage.setItem(`etalon.${name}`, JSON.stringify(value)); } catch { /* not kept, then */ }
  },
};
