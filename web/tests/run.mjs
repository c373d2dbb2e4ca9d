// Runs the tests of the page's logic: bundles each *.test.ts with esbuild, and hands them to Node's test runner.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'torsor-web-'));
const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
await build({
  entryPoints: tests.map((name) => join(import.meta.dirname, name)),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  logLevel: 'warning',
});
const result = spawnSync(process.execPath, ['--test', ...tests.map((name) => join(folder, name.replace(/\.ts$/, '.mjs')))], { stdio: 'inherit' });
rmSync(folder, { recursive: true });
process.exit(result.status ?? 1);
