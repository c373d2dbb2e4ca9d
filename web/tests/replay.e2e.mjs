// Replays in a real browser, opened from disk.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drawn, folder, isBlue, isGreen, isRed, launch, open, pixel, run, writeModel } from './browser.mjs';

// Seen by its camera: a red ball in the middle, a blue box on the left; the ball is let go, the box is fixed.
const SCENE = `<mujoco model="falling ball">
  <option gravity="0 0 -2"/>
  <asset><texture name="c" type="cube" builtin="flat" rgb1="0 1 0" rgb2="0 1 0" width="8" height="8"/><material name="c" texture="c"/></asset>
  <worldbody>
    <camera name="front" pos="0 -4 0" xyaxes="1 0 0 0 0 1" fovy="45"/>
    <body><freejoint/><geom type="sphere" size=".4" rgba="1 0 0 1"/></body>
    <geom type="box" size=".3 .3 .3" pos="-1.2 0 0" rgba="0 0 1 1"/>
    <geom type="sphere" size=".3" pos="1.2 0 0" material="c"/>
  </worldbody>
</mujoco>`;

let browser;
let page;
before(async () => {
  browser = await launch();
  await run('sim', writeModel('ball.xml', SCENE), '--duration', '1', '--replay', `${folder}/ball.html`);
  page = await open(browser, `file://${folder}/ball.html?time=0`);
  await page.getByRole('combobox', { name: 'Camera' }).selectOption({ label: 'front' });
  await drawn(page);
});
after(() => browser.close());

const shown = () => page.evaluate(() => window.torsor.source.time);

test('geoms have their colours in their places', async () => {
  assert.ok(isRed(await pixel(page, 0.5, 0.5)), 'ball in the middle');
  assert.ok(isBlue(await pixel(page, 0.5 - 0.217, 0.5)), 'box on the left');
  assert.ok(isGreen(await pixel(page, 0.5 + 0.217, 0.5)), 'ball with a texture on the right');
  const [r, g, b] = await pixel(page, 0.5, 0.1);
  assert.ok(r > 120 && g > 120 && b > 120, 'sky above');
});

test('the time bar moves the ball', async () => {
  await page.getByRole('slider', { name: 'Time', exact: true }).fill('1');
  await drawn(page);
  assert.ok(!isRed(await pixel(page, 0.5, 0.5)), 'it has left the middle');
  assert.ok(isRed(await pixel(page, 0.5, 0.5 + 0.3)), 'one metre below');
  assert.ok(isBlue(await pixel(page, 0.5 - 0.217, 0.5)), 'the box stays');
});

test('steps, keys and buttons', async () => {
  await page.getByRole('slider', { name: 'Time', exact: true }).fill('0');
  await page.getByRole('button', { name: /^Step \(/ }).click();
  assert.ok(Math.abs((await shown()) - 1 / 60) < 0.003, 'one frame on');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await shown(), 0);
  await page.getByRole('button', { name: /^Play/ }).click();
  await page.waitForFunction(() => window.torsor.source.time > 0.2);
  await page.getByRole('button', { name: /^Pause/ }).click();
  const time = await shown();
  await page.waitForTimeout(300);
  assert.equal(await shown(), time, 'paused');
  await page.keyboard.press('Backspace');
  assert.equal(await shown(), 0);
});

test('toggles draw, and take away again', async () => {
  await page.evaluate(() => window.torsor.setOverlay('com', true));
  await drawn(page);
  const [r, g, b] = await pixel(page, 0.5, 0.5);
  assert.ok(r > 200 && g > 200 && b > 200, 'the centre of mass is white');
  await page.keyboard.press('m');
  await drawn(page);
  assert.ok(isRed(await pixel(page, 0.5, 0.5)));
});

test('dark and light differ', async () => {
  const before = await pixel(page, 0.5, 0.1);
  await page.getByRole('button', { name: /Dark or light/ }).click();
  await drawn(page);
  const after = await pixel(page, 0.5, 0.1);
  assert.ok(Math.abs(before[0] - after[0]) > 40);
});

test('a floor with a reflectance reflects', async () => {
  const floor = (reflectance) => `<mujoco><asset><material name="m" reflectance="${reflectance}" rgba=".2 .3 .2 1"/></asset><worldbody>
    <camera name="front" pos="0 -3 2" xyaxes="1 0 0 0 .55 .83"/><geom type="plane" size="2 2 .1" material="m"/>
    <geom type="box" size=".5 .1 .5" pos="0 .6 .7" rgba=".9 .1 .1 1"/></worldbody></mujoco>`;
  const red = [];
  for (const reflectance of [0, 0.8]) {
    await run('sim', writeModel('floor.xml', floor(reflectance)), '--duration', '.05', '--replay', `${folder}/floor.html`);
    const other = await open(browser, `file://${folder}/floor.html?time=0`);
    await other.getByRole('combobox', { name: 'Camera' }).selectOption({ label: 'front' });
    await drawn(other);
    red.push((await pixel(other, 0.5, 0.62))[0]);
    assert.deepEqual(other.faults, []);
    await other.close();
  }
  assert.ok(red[1] - red[0] > 60, String(red));
});

test('a skin follows its bone, can be clicked and switched off', async () => {
  const skin = `<mujoco><option gravity="0 0 0"/><worldbody><camera name="front" pos="0 -4 0" xyaxes="1 0 0 0 0 1" fovy="45"/>
    <body name="bone"><joint name="x" type="slide" axis="1 0 0"/><geom size=".05" rgba="1 0 0 1" pos="0 .3 0"/></body></worldbody>
    <deformable><skin name="cloth" rgba="0 1 0 1" vertex="-.3 0 -.3 .3 0 -.3 .3 0 .3 -.3 0 .3" face="0 1 2 0 2 3">
      <bone body="bone" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2 3" vertweight="1 1 1 1"/></skin></deformable>
    <keyframe><key name="fast" qvel="1.2"/></keyframe></mujoco>`;
  await run('sim', writeModel('skin.xml', skin), '--keyframe', 'fast', '--duration', '1', '--replay', `${folder}/skin.html`);
  const other = await open(browser, `file://${folder}/skin.html?time=0`);
  await other.getByRole('combobox', { name: 'Camera' }).selectOption({ label: 'front' });
  await drawn(other);
  assert.ok(isGreen(await pixel(other, 0.5, 0.5)), 'in the middle');
  await other.locator('canvas.view').click({ position: { x: 500, y: 300 } });
  assert.equal(await other.evaluate(() => window.torsor.selected), 1, 'its bone is selected');
  await other.evaluate(() => window.torsor.select(0));
  await other.getByRole('checkbox', { name: /Skins/ }).uncheck();
  await drawn(other);
  assert.ok(isRed(await pixel(other, 0.5, 0.5)), 'the bone is behind it');
  await other.keyboard.press('k');
  await other.getByRole('slider', { name: 'Time', exact: true }).fill('1');
  await drawn(other);
  assert.ok(!isGreen(await pixel(other, 0.5, 0.5)), 'it has left the middle');
  assert.ok(isGreen(await pixel(other, 0.5 + 0.217, 0.5)), '1.2 m to the right');
  assert.deepEqual(other.faults, []);
  await other.close();
});

test('every control has a name', async () => {
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas')]
    .filter((e) => !(e.getAttribute('aria-label') || e.textContent?.trim() || e.labels?.[0]?.textContent?.trim()))
    .map((e) => e.outerHTML));
  assert.deepEqual(nameless, []);
});

test('it fits on a small window', async () => {
  const small = await open(browser, `file://${folder}/ball.html`, { width: 380, height: 640 });
  const box = await small.locator('.bar').boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 380 && box.y + box.height <= 640);
  await small.close();
});

test('nothing failed, and nothing was loaded from elsewhere', () => assert.deepEqual(page.faults, []));
