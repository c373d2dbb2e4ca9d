// Starts Chromium, opens pages, looks at pixels; starts the program.
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

export const program = process.env.TORSOR_PROGRAM;
if (!program) throw new Error('TORSOR_PROGRAM must be the path of the program torsor');

export const folder = mkdtempSync(join(tmpdir(), 'torsor-e2e-'));

export function launch() {
  return chromium.launch({
    executablePath: process.env.TORSOR_CHROMIUM ?? '/usr/bin/chromium',
    // without a sandbox, since tests run as root in containers; WebGL without a graphics card
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  });
}

/** A page that is ready, and fails on errors of its scripts and on anything that it would load from elsewhere. */
export async function open(browser, url, size = { width: 1000, height: 600 }) {
  const page = await browser.newPage({ viewport: size });
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error') page.faults.push(message.text()); });
  page.on('request', (request) => {
    const at = new URL(request.url());
    if (!['file:', 'data:', 'blob:'].includes(at.protocol) && at.hostname !== '127.0.0.1') page.faults.push(`loads ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'true', null, { timeout: 60_000 });
  return page;
}

/** Waits until what was changed before is drawn. */
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Red, green and blue at a place of the canvas, from 0 to 1 from its left and top. */
export function pixel(page, x, y) {
  return page.evaluate(([px, py]) => {
    const view = document.querySelector('canvas.view');
    const copy = document.createElement('canvas');
    copy.width = view.width;
    copy.height = view.height;
    const pen = copy.getContext('2d');
    pen.drawImage(view, 0, 0);
    return [...pen.getImageData(Math.round(px * (view.width - 1)), Math.round(py * (view.height - 1)), 1, 1).data.slice(0, 3)];
  }, [x, y]);
}

export const isRed = ([r, g, b]) => r > 80 && r > 2 * g && r > 2 * b;
export const isGreen = ([r, g, b]) => g > 60 && g > 1.5 * r && g > 1.5 * b;
export const isBlue = ([r, g, b]) => b > 80 && b > 1.5 * r && b > 1.5 * g;

export function writeModel(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

export function run(...words) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (data) => { output += data; });
    child.stderr.on('data', (data) => { output += data; });
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(output))));
  });
}

/** `torsor view` with a page address; end() stops it. */
export function serve(...words) {
  const child = spawn(program, ['view', ...words, '--no-open', '--duration', '120'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
      const url = output.match(/http:\/\/\S+/)?.[0];
      if (url) resolve({ url, end: () => new Promise((done) => { child.on('close', done); child.kill('SIGINT'); }) });
    });
    child.on('close', () => reject(new Error(`torsor view ended: ${output}`)));
  });
}
