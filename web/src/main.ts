import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'

const A_WHILE = 10_000

// A part is gone, since the server has a newer client by now: begin anew with that one. A page that
// has only just been loaded is the newest.
addEventListener('vite:preloadError', () => {
  if (navigator.onLine && performance.now() > A_WHILE) location.reload()
})

mount(App, { target: document.getElementById('app')! })
