// The search runs in a worker, and a page opened as a file may start none: there it runs in a frame.
// The search asks its parent for an IFrameWorker by that name, and finds its dictionaries then.
if (location.protocol === 'file:') {
  document.documentElement.classList.add('as-file')
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super()
      const frame = document.createElement('iframe')
      frame.hidden = true
      document.documentElement.append(frame)
      this.inside = frame.contentWindow
      const load = (source) =>
        new Promise((loaded, failed) => {
          const script = this.inside.document.createElement('script')
          Object.assign(script, { src: source, onload: loaded, onerror: failed })
          this.inside.document.head.append(script)
        })
      this.inside.importScripts = async (...sources) => {
        for (const source of sources) await load(source)
      }
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent('message', { data }))
      this.ready = load(new URL(address, location.href).href)
    }

    async postMessage(data) {
      await this.ready
      this.inside.dispatchEvent(new MessageEvent('message', { data }))
    }
  }
}
