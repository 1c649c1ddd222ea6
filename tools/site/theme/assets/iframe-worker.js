// Search runs in a worker, and browsers start none for a page that was opened from a folder. There
// a hidden frame takes its place: it loads the same script and passes messages both ways.
"use strict";
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessageOut = (data) => {
        const event = new MessageEvent("message", { data });
        this.onmessage?.(event);
        this.dispatchEvent(event);
      };
      const script = inside.document.createElement("script");
      script.src = url;
      script.onload = () => {
        for (const data of this.waiting.splice(0)) this.deliver(data);
        this.isReady = true;
      };
      // The worker's script answers with postMessage, and hears what is dispatched on its window.
      inside.postMessage = inside.postMessageOut;
      inside.importScripts = (...urls) => Promise.all(urls.map((each) => new Promise((done, failed) => {
        const further = inside.document.createElement("script");
        Object.assign(further, { src: each, onload: done, onerror: failed });
        inside.document.body.append(further);
      })));
      inside.document.body.append(script);
    }

    postMessage(data) {
      if (this.isReady) this.deliver(data);
      else this.waiting.push(data);
    }

    deliver(data) {
      const inside = this.frame.contentWindow;
      inside.dispatchEvent(new inside.MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
