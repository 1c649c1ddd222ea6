/** An area to drop a record on, or to choose one. */
import { h } from './dom.js';
import { words } from './words.js';

/** @param {(text: string) => void} open handles the text of a record */
export function recordArea(open) {
  const read = async (/** @type {File | undefined} */ file) => file && open(await file.text());
  const field = h('input', { type: 'file', className: 'quietly', accept: '.parlour,text/plain', 'aria-label': words('openRecord'), onchange: () => read(field.files?.[0]) });
  const area = h('label', { className: 'drop' }, field, h('b', {}, words('openRecord')), h('span', {}, words('dropRecord')));
  const over = (/** @type {DragEvent} */ event, /** @type {boolean} */ isOver) => {
    event.preventDefault();
    area.classList.toggle('over', isOver);
  };
  area.addEventListener('dragover', (event) => over(event, true));
  area.addEventListener('dragleave', (event) => over(event, false));
  area.addEventListener('drop', (event) => {
    over(event, false);
    read(event.dataTransfer?.files[0]);
  });
  return area;
}
