import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'
import { engines } from './engines'
import { licences } from './licences'
import { offline } from './offline'

const OUT = '../src/tanistry/web/dist'

/** Compressed twins beside every text file, so that the server only has to pick one. */
function compressed(): Plugin {
  let out = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: (config) => void (out = config.build.outDir),
    enforce: 'post',
    closeBundle: {
      sequential: true,
      order: 'post',
      handler() {
        for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile() || !/\.(js|css|html|svg|json|wasm|webmanifest)$/.test(entry.name))
            continue
          const path = join(entry.parentPath, entry.name)
          const bytes = readFileSync(path)
          writeFileSync(`${path}.br`, brotliCompressSync(bytes))
          writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
        }
      },
    },
  }
}

/** The server has the networks in its package and hands them out from there. */
function withoutNetworks(): Plugin {
  let out = ''
  return {
    name: 'without-networks',
    apply: 'build',
    configResolved: (config) => void (out = join(config.build.outDir, 'engines')),
    closeBundle() {
      if (!existsSync(out)) return
      for (const name of readdirSync(out)) if (name.endsWith('.net')) rmSync(join(out, name))
    },
  }
}

/** The first view's style inside the page: one request less before anything can be drawn. */
function styleInside(): Plugin {
  return {
    name: 'style-inside',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        return html.replace(
          /<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+)"[^>]*>/g,
          (link, name: string) => {
            const sheet = bundle?.[name]
            return sheet?.type === 'asset' ? `<style>${String(sheet.source)}</style>` : link
          },
        )
      },
    },
  }
}

const server = process.env['TANISTRY'] ?? 'http://127.0.0.1:8000'

// `--mode static` builds a client that has no server behind it, for any path of any host.
export default defineConfig(({ mode }) => ({
  base: mode === 'static' ? './' : '/',
  plugins: [
    svelte(),
    engines(),
    licences(),
    ...(mode === 'static' ? [] : [styleInside(), withoutNetworks()]),
    offline(),
    ...(mode === 'static' ? [] : [compressed()]),
  ],
  worker: { format: 'es' },
  build: { outDir: OUT, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
}))
