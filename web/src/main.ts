// The page decides by itself what it is: a replay has its data inside, else there is a server to talk to.
import './style.css';
import { App } from './app';
import { openLive } from './live';
import { isReplay, openReplay } from './replay';

const app = new App();
(window as unknown as { torsor: App }).torsor = app;
try {
  if (isReplay()) {
    await openReplay(app);
    app.start();
  } else openLive(app);
} catch (error) {
  app.say('This page cannot show the simulation', String(error));
}
