/** The page around the game. It keeps the worker alive while the frame changes from lobby to table. */
{
  const STEPS = ['python', 'games', 'ready'];
  const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
  const fail = (/** @type {string} */ text) => {
    byId('words').textContent = text;
    byId('progress').hidden = true;
  };

  /** @type {Worker} */
  let worker;

  /** Open a port to the server for the page in the frame. */
  const connect = () => {
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ port: port2 }, [port2]);
    return port1;
  };

  /** Show a table, or the lobby. @param {string} table */
  const show = (table) => {
    byId('frame').src = table ? `table.html?table=${table}` : `lobby.html${location.search}`;
    byId('game').hidden = false;
    byId('wait').hidden = true;
  };
  Object.assign(window, { connect, show });

  if (location.protocol === 'file:') fail('Browsers do not start workers from files. Run make docs-serve and open http://127.0.0.1:8010/demo/.');
  else if (!('navigation' in window)) fail('This browser is too old for the demo. Run make serve to play with a server.');
  else {
    worker = new Worker('worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => {
      if (data.step === 'failed') fail(`The demo failed to start: ${data.message}`);
      else byId('progress').value = STEPS.indexOf(data.step) + 1;
      if (data.step === 'games') byId('words').textContent = 'Starting the server in this page ...';
      if (data.step === 'ready') show('');
    };
    worker.onerror = (event) => fail(`The demo failed to start: ${event.message}`);
  }
}
