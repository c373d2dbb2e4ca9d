// Builds the page into one file, dist/index.html: script and style inside, so that it opens from disk and loads nothing.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

// the page has code of three.js inside, and goes wherever a replay goes
const license = readFileSync(new URL('licenses/three.txt', import.meta.url), 'utf8');

function oneFile() {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      let html = page.source.replace('<html', () => `<!-- Torsor is under the Apache License 2.0. This page contains three.js:\n\n${license}-->\n<html`);
      for (const [name, file] of Object.entries(bundle)) {
        if (name === 'index.html') continue;
        const path = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        if (file.type === 'chunk') {
          // a module is not fetched from file://, an inline script is; it runs at the end of the body, where data is
          const script = `<script type="module">${file.code.trimEnd().replace(/<\/script/g, '<\\/script')}</script>`;
          html = html.replace(new RegExp(`\\s*<script[^>]*src="[^"]*${path}"[^>]*></script>`), '');
          html = html.replace('</head>', () => `${script}\n</head>`);
        } else {
          html = html.replace(new RegExp(`\\s*<link[^>]*href="[^"]*${path}"[^>]*>`), '');
          html = html.replace('</head>', () => `<style>${String(file.source).trimEnd()}</style>\n</head>`);
        }
        delete bundle[name];
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  base: './',
  build: { target: 'es2022', assetsInlineLimit: 1 << 20, modulePreload: false, cssCodeSplit: false, reportCompressedSize: false },
  plugins: [oneFile()],
});
