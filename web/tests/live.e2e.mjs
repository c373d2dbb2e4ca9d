// `torsor view` in a real browser: playback, edits, drags, conventions, other models, several pages, strangers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { drawn, isRed, launch, open, pixel, serve, writeModel } from './browser.mjs';

const SCENE = `<mujoco model="two bodies">
  <option gravity="0 0 0" timestep="0.002"/>
  <worldbody>
    <camera name="front" pos="0 -4 0" xyaxes="1 0 0 0 0 1" fovy="45"/>
    <body name="ball"><freejoint/><geom name="skin" type="sphere" size=".4" rgba="1 0 0 1"/></body>
    <body name="arm" pos="1 0 0"><joint name="elbow" axis="0 1 0" damping="1"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 .5" rgba="0 0 1 1"/></body>
  </worldbody>
  <actuator><position name="servo" joint="elbow" kp="20" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/></sensor>
  <keyframe><key name="bent" qpos="0 0 0 1 0 0 0 .5"/></keyframe>
</mujoco>`;

let browser;
let server;
let page;
before(async () => {
  browser = await launch();
  server = await serve(writeModel('two.xml', SCENE));
  page = await open(browser, server.url, { width: 1280, height: 800 });
  await page.getByRole('combobox', { name: 'Camera' }).selectOption({ label: 'front' });
  await drawn(page);
});
after(async () => {
  await browser.close();
  await server.end();
});

const send = (message) => page.evaluate((m) => window.torsor.source.send(m), message);
const time = () => page.evaluate(() => window.torsor.source.time);
const qpos = (i) => page.evaluate((k) => window.torsor.frame.worlds[0].qpos[k], i);
const waitFor = (body, argument) => page.waitForFunction(body, argument, { timeout: 15_000 });

test('the model is drawn and time goes on', async () => {
  await waitFor(() => window.torsor.source.time > 0.2);
  assert.ok(isRed(await pixel(page, 0.5, 0.5)));
});

test('pause, step, step back and the time bar', async () => {
  await page.getByRole('button', { name: /^Pause/ }).click();
  await waitFor(() => window.torsor.source.status.playing === false);
  await page.waitForTimeout(300);
  const paused = await time();
  await page.waitForTimeout(300);
  assert.equal(await time(), paused);
  await page.getByRole('button', { name: /^Step \(/ }).click();
  await waitFor((t) => Math.abs(window.torsor.source.time - t - 0.002) < 1e-9, paused);
  await page.getByRole('button', { name: /^Step back/ }).click();
  await page.getByRole('button', { name: /^Step back/ }).click();
  await waitFor((t) => Math.abs(window.torsor.source.time - t + 0.002) < 1e-9, paused);
  await page.getByRole('slider', { name: 'Time', exact: true }).fill('0.1');
  await waitFor(() => Math.abs(window.torsor.source.time - 0.1) < 0.0021);
});

test('a control moves the joint, a slider of the joint sets it', async () => {
  await page.getByRole('slider', { name: 'servo' }).fill('0.8');
  await page.getByRole('button', { name: /^Play/ }).click();
  await waitFor(() => window.torsor.frame.worlds[0].qpos[7] > 0.4);
  await page.getByRole('slider', { name: 'servo' }).fill('0');
  await page.getByText('Joints', { exact: true }).click();
  await page.getByRole('button', { name: /^Pause/ }).click();
  await page.getByRole('slider', { name: 'elbow' }).fill('-1');
  await waitFor(() => Math.abs(window.torsor.frame.worlds[0].qpos[7] + 1) < 1e-5);
});

test('keyframes and reset', async () => {
  await page.getByRole('button', { name: 'Go' }).click();
  await waitFor(() => Math.abs(window.torsor.frame.worlds[0].qpos[7] - 0.5) < 1e-5);
  await page.keyboard.press('Backspace');
  await waitFor(() => window.torsor.frame.worlds[0].qpos[7] === 0 && window.torsor.source.time === 0);
});

test('search, selection, and a pose in the convention that was picked', async () => {
  await page.getByRole('searchbox', { name: 'Search bodies' }).fill('AR');
  assert.equal(await page.locator('.bodies li:visible').count(), 1);
  await page.getByRole('button', { name: 'arm', exact: true }).click();
  await page.getByRole('combobox', { name: 'Convention', exact: true }).selectOption('mujoco');
  await page.getByRole('combobox', { name: 'Second convention' }).selectOption('newton');
  const table = page.getByRole('table', { name: 'Pose and twist' });
  await waitFor(() => document.querySelector('.numbers')?.textContent.includes('newton'));
  const rows = await table.locator('tr').evaluateAll((list) => list.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(rows[0], ['arm', 'mujoco', 'newton']);
  // MuJoCo has w first, Newton last: position x, y, z is the same
  assert.deepEqual(rows.slice(1, 8).map((row) => row[1]), ['1.000', '0.000', '0.000', '1.000', '0.000', '0.000', '0.000']);
  assert.deepEqual(rows.slice(1, 8).map((row) => row[2]), ['1.000', '0.000', '0.000', '0.000', '0.000', '0.000', '1.000']);
  assert.ok(await page.locator('tr.differs').count() >= 2);
  await page.getByRole('searchbox', { name: 'Search bodies' }).fill('');
});

test('dragging pulls the body to the pointer', async () => {
  await page.getByRole('button', { name: /^Play/ }).click();
  await page.keyboard.down('Shift');
  await page.mouse.move(640, 400);
  await page.mouse.down();
  for (let x = 640; x <= 760; x += 20) await page.mouse.move(x, 400);
  await waitFor(() => window.torsor.frame.worlds[0].qpos[0] > 0.3);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.keyboard.press('Backspace');
  await waitFor(() => Math.abs(window.torsor.frame.worlds[0].qpos[0]) < 0.01);
});

test('options and friction can be edited, and bad ones are refused', async () => {
  await page.getByText('Physics', { exact: true }).click();
  const gravity = page.getByRole('spinbutton', { name: 'Gravity z' });
  await gravity.fill('-9.81');
  await gravity.press('Enter');
  await waitFor(() => window.torsor.frame.worlds[0].qpos[2] < -0.05);
  const timestep = page.getByRole('spinbutton', { name: 'Timestep, s' });
  await timestep.fill('-1');
  await timestep.press('Enter');
  await page.getByRole('alert').getByText('timestep must be positive').waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  await gravity.fill('0');
  await gravity.press('Enter');
});

test('messages that make no sense are answered, not obeyed', async () => {
  for (const message of [{ type: 'nonsense' }, { type: 'ctrl', id: 99, value: 1 }, { type: 'ctrl', id: 0, value: null }, { type: 'drag', body: 0 }, { type: 'qpos', id: 0, value: 1 }, {}]) {
    await send(message);
    await page.getByRole('alert').getByText('This did not work').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  }
});

const dropBytes = (name, base64) => page.evaluate(([n, b]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(b), (c) => c.charCodeAt(0))], n));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
}, [name, base64]);

/** Drops a file on the page, as a user does. */
const drop = (name, text) => page.evaluate(([n, t]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([t], n));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
}, [name, text]);

test('the times of a step are shown', async () => {
  await page.getByText('Timers', { exact: true }).click();
  await waitFor(() => /steps\/s possible/.test(document.body.textContent) && document.querySelector('table[aria-label="Times of a step"]')?.rows.length === 11);
  await page.getByText('Timers', { exact: true }).click();
  await waitFor(() => window.torsor.source.status.timers === undefined);
});

test('a dropped clip is played, and what is no clip of this model says why', async () => {
  await dropBytes('elbow.motion', readFileSync(process.env.TORSOR_CLIP).toString('base64')); // 20 frames: the elbow from 0 to 1.9 rad
  const isPlayed = await page.waitForFunction(() => Math.abs(window.torsor.frame.worlds[0].qpos[7] - 1.9) < 1e-5, null, { timeout: 8000 }).catch(() => null);
  assert.ok(isPlayed, (await page.getByRole('alert').textContent().catch(() => '')) || 'not played');
  await page.keyboard.press('Backspace');
  await waitFor(() => window.torsor.source.time < 0.05);
  await drop('bad.csv', 'Frame,shoulder_dof\n0,1\n');
  await page.getByRole('alert').getByText('The dropped clip cannot be shown').waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: /^Play/ }).click().catch(() => {});
});

test('a dropped model with a mistake says where, and the old one stays', async () => {
  await drop('bad.xml', '<mujoco>\n<worldbody>\n<geom sizes="1"/>\n</worldbody></mujoco>');
  await page.getByRole('alert').getByText('bad.xml:3').waitFor();
  assert.equal(await page.evaluate(() => window.torsor.scene.name), 'two bodies');
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
});

test('a dropped model cannot read files of this machine', async () => {
  await drop('spy.xml', '<mujoco><include file="/etc/passwd"/></mujoco>');
  await page.getByRole('alert').getByText('passwd').waitFor();
  const text = await page.getByRole('alert').textContent();
  assert.ok(!text.includes('root:'), text);
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
});

test('a dropped model is shown', async () => {
  await drop('new.xml', '<mujoco model="dropped"><worldbody><body name="lid"><joint/><geom size=".1 .1 .1" type="box"/></body></worldbody></mujoco>');
  await waitFor(() => window.torsor.scene.name === 'dropped' && window.torsor.source.time > 0.05);
  assert.equal(await page.locator('.bodies li').count(), 1);
});

test('a second page sees the same, and one that ends or stalls disturbs nobody', async () => {
  const second = await open(browser, server.url);
  assert.equal(await second.evaluate(() => window.torsor.scene.name), 'dropped');
  await second.close();
  const { port } = new URL(server.url);
  const stalled = net.connect(Number(port), '127.0.0.1');
  stalled.write(`GET /socket HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
  stalled.pause(); // never reads
  const start = await time();
  await waitFor((t) => window.torsor.source.time > t + 1, start);
  stalled.destroy();
  const later = await time();
  await waitFor((t) => window.torsor.source.time > t + 0.2, later);
});

const ask = (options) => new Promise((resolve, reject) => {
  const { port } = new URL(server.url);
  http.request({ host: '127.0.0.1', port, path: '/', ...options }, (response) => { response.resume(); resolve(response.statusCode); }).on('error', reject).on('upgrade', () => resolve(101)).end();
});
const upgrade = { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };

test('strangers are refused', async () => {
  const { port } = new URL(server.url);
  assert.equal(await ask({}), 200);
  assert.equal(await ask({ headers: { Host: `localhost:${port}` } }), 200);
  assert.equal(await ask({ headers: { Host: 'evil.example' } }), 403, 'a name that was bound to this machine');
  assert.equal(await ask({ path: '/socket', headers: { ...upgrade, Origin: 'http://evil.example' } }), 403, 'a script of another page');
  assert.equal(await ask({ path: '/socket', headers: { ...upgrade, Origin: `http://127.0.0.1:${port}` } }), 101);
  assert.equal(await ask({ path: '/../../etc/passwd' }), 404);
  assert.equal(await ask({ method: 'POST' }), 405);
});

test('nothing failed, and nothing was loaded from elsewhere', () => assert.deepEqual(page.faults, []));
