// Small drawings for buttons, in a square of 16. Buttons carry their names as labels; drawings are for the eye alone.
import { draw, make } from "./dom.js";

const paths = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  back: "M11 3v10L5 8zM3.5 3H5v10H3.5z",
  forward: "M5 3v10l6-5zM11 3h1.5v10H11z",
  start: "M13 3v10L7.5 8zM8 3v10L2.5 8zM1 3h1.3v10H1z",
  end: "M3 3v10l5.5-5zM8 3v10l5.5-5zM13.7 3H15v10h-1.3z",
  loop: "M4 5h7.2L9.6 3.4l1-1L14 5.7 10.6 9l-1-1L11.2 6.4H5.4V8H4zM12 11H4.8l1.6 1.6-1 1L2 10.3 5.4 7l1 1-1.6 1.6h5.8V8H12z",
  reset: "M8 3a5 5 0 1 1-4.9 6h1.5A3.6 3.6 0 1 0 8 4.4c-1 0-1.9.4-2.5 1L7 7H2.6V2.6l1.9 1.8A5 5 0 0 1 8 3z",
  undo: "M6.5 3 3 6.5 6.5 10V7.4h3.2a2.3 2.3 0 0 1 0 4.6H6v1.4h3.7a3.7 3.7 0 0 0 0-7.4H6.5z",
  redo: "M9.5 3 13 6.5 9.5 10V7.4H6.3a2.3 2.3 0 0 0 0 4.6H10v1.4H6.3a3.7 3.7 0 0 1 0-7.4h3.2z",
  key: "M8 2.4 13.6 8 8 13.6 2.4 8z",
  formula: "M8.9 2.2c-1.9 0-2.6 1.2-2.9 2.9l-.2 1H4.3l-.2 1.2h1.5l-.7 3.9c-.2 1.2-.6 1.6-1.2 1.6-.3 0-.5-.1-.7-.2l-.4 1.2c.3.1.7.2 1.2.2 1.6 0 2.3-1 2.6-2.7l.7-4H9l.2-1.2H7.3l.2-1c.2-1.1.5-1.7 1.3-1.7.3 0 .6.1.8.2l.4-1.1c-.4-.1-.8-.1-1.1-.1zM9.2 8.5l1.5 2.2-1.8 2.5h1.4l1.1-1.6 1 1.6H14l-1.7-2.5L14 8.5h-1.4l-1 1.3-.9-1.3z",
  fit: "M2 2h4v1.5H3.5V6H2zM10 2h4v4h-1.5V3.5H10zM2 10h1.5v2.5H6V14H2zM12.5 10H14v4h-4v-1.5h2.5z",
  full: "M9 2h5v5l-1.8-1.8L9.7 7.7 8.3 6.3l2.5-2.5zM7 14H2V9l1.8 1.8 2.5-2.5 1.4 1.4-2.5 2.5z",
  grid: "M2 2h12v12H2zm1.3 1.3v2.6h2.6V3.3zm3.9 0v2.6h2.6V3.3h-2.6zm3.9 0v2.6h1.6V3.3zM3.3 7.2v2.6h2.6V7.2zm3.9 0v2.6h2.6V7.2h-2.6zm3.9 0v2.6h1.6V7.2zM3.3 11.1v1.6h2.6v-1.6zm3.9 0v1.6h2.6v-1.6h-2.6zm3.9 0v1.6h1.6v-1.6z",
  checkers: "M2 2h6v6h6v6H8V8H2z",
  hand: "M5.2 8V3.6a.9.9 0 0 1 1.8 0V7h.4V2.5a.9.9 0 0 1 1.8 0V7h.4V3.3a.9.9 0 0 1 1.8 0v4.4h.4V5.2a.9.9 0 0 1 1.7 0v5.3c0 2.4-1.7 4-4.1 4-2 0-3-.9-3.9-2.4L2.8 9a1 1 0 0 1 1.6-1z",
  sun: "M8 4.8a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4zM7.4 1h1.2v2.4H7.4zM7.4 12.6h1.2V15H7.4zM1 7.4h2.4v1.2H1zM12.6 7.4H15v1.2h-2.4zM2.6 3.5l.9-.9 1.7 1.7-.9.9zM10.8 11.7l.9-.9 1.7 1.7-.9.9zM3.5 13.4l-.9-.9 1.7-1.7.9.9zM11.7 5.2l-.9-.9 1.7-1.7.9.9z",
  sound: "M2 6h2.5L8 3v10l-3.5-3H2zM9.6 5.3a3.4 3.4 0 0 1 0 5.4l-.8-1a2.2 2.2 0 0 0 0-3.4zM11.3 3.2a6 6 0 0 1 0 9.6l-.8-1a4.7 4.7 0 0 0 0-7.6z",
  mute: "M2 6h2.5L8 3v10l-3.5-3H2zM9.5 6.4l.9-.9L12 7.1l1.6-1.6.9.9L12.9 8l1.6 1.6-.9.9L12 8.9l-1.6 1.6-.9-.9L11.1 8z",
  record: "M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z",
  close: "M3.6 2.6 8 7l4.4-4.4 1 1L9 8l4.4 4.4-1 1L8 9l-4.4 4.4-1-1L7 8 2.6 3.6z",
  copy: "M5 2h8v9h-1.4V3.4H5zM3 5h7v9H3zm1.4 1.4v6.2h4.2V6.4z",
  curve: "M2 12.6h1.6C7.5 12.6 7 4.8 11 4.8h1V3.4h-1C5.8 3.4 7.2 11.2 3.6 11.2H2zM11.2 2.2h3.2v3.2h-3.2z",
  film: "M2 3h12v10H2zm1.2 1.2v1.4h1.6V4.2zm0 3v1.6h1.6V7.2zm0 3.2v1.4h1.6v-1.4zm8-6.2v1.4h1.6V4.2zm0 3v1.6h1.6V7.2zm0 3.2v1.4h1.6v-1.4zM6 4.2v3.2h4V4.2zm0 4.4v3.2h4V8.6z",
  link: "M9 2h5v5h-1.4V4.4L8 9 7 8l4.6-4.6H9zM3 4h4v1.4H4.4v6.2h6.2V9H12v4H3z",
};

export function icon(name) {
  return draw("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, draw("path", { d: paths[name], "fill-rule": "evenodd" }));
}

/** A button that shows a drawing; its label is read out and appears as a hint, with its key. */
export function iconButton(name, label, onclick, { key, ...properties } = {}) {
  return make("button", { type: "button", className: "icon-button", title: key ? `${label} (${key})` : label, "aria-label": label, onclick, ...properties }, icon(name));
}

/** Changes what a button shows and says. */
export function setIcon(button, name, label, key) {
  if (button.dataset.icon === name && button.getAttribute("aria-label") === label) return;
  button.dataset.icon = name;
  button.replaceChildren(icon(name));
  button.setAttribute("aria-label", label);
  button.title = key ? `${label} (${key})` : label;
}
