// A replay: scene and frames are in the page itself.
import type { App, Source } from './app';
import { fromBase64, inflate } from './bytes';
import { Recording } from './frame';
import { Player } from './player';
import { readScene } from './scene';

const textOf = (id: string) => document.getElementById(id)?.textContent ?? null;

export const isReplay = () => document.getElementById('torsor-frames') !== null;

class ReplaySource extends Player implements Source {
  readonly kind = 'replay';
  get range(): [number, number] { return [this.recording.start, this.recording.end]; }
  reset(): void { this.seek(this.recording.start); }
}

export async function openReplay(app: App): Promise<void> {
  const settings = JSON.parse(textOf('torsor-settings') ?? '{}') as { title?: string; layout?: 'side' | 'ghosts' };
  const [sceneBlob, framesBlob] = await Promise.all(['torsor-scene', 'torsor-frames'].map((id) => inflate(fromBase64(textOf(id) ?? ''))));
  const scene = readScene(sceneBlob);
  const recording = Recording.from(framesBlob, scene);
  const source = new ReplaySource(recording);
  const query = new URLSearchParams(location.search);
  if (query.has('time')) { source.seek(Number(query.get('time'))); source.playing = false; }
  app.open(scene, source, settings.title ?? scene.name, settings.layout ?? 'side');
}
