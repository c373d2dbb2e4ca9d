"""Our figure learns to walk on a card: proximal policy optimisation [Schulman et al. 2017] in plain PyTorch on a batch of worlds.

The worlds stay on the card: observations are views of the batch's arrays, actions are written into its controls.

    python examples/train_ppo.py                           # 4,096 worlds, 600 iterations
    python examples/train_ppo.py --iterations 50 --csv curve.csv
"""

import argparse
import csv
import pathlib
import re
import time

import torch

import torsor

FIGURE = pathlib.Path(__file__).resolve().parent.parent / "models" / "scenes" / "figure.xml"
STEPS_PER_ACTION = 5  # 20 ms
HORIZON = 24  # actions between two updates
SPEED = 1.2  # m/s, as fast as it is asked to walk


def load_figure(path):
    """The figure of the scene, with a servo at each of its hinges."""
    text = path.read_text(encoding="utf-8")
    hinges = [name for name in re.findall(r'<joint name="(\w+)"', text)]
    servos = "".join(f'<position name="{name}" joint="{name}" kp="80" kv="4" forcerange="-120 120"/>' for name in hinges)
    return torsor.Model.from_xml_string(re.sub("<actuator>.*</actuator>", f"<actuator>{servos}</actuator>", text, flags=re.DOTALL))


class Worlds:
    """Episodes of many figures, all on the card."""

    def __init__(self, model, count, device):
        self.batch = torsor.Batch(model, count, device=device)
        self.qpos, self.qvel, self.ctrl = (torch.from_dlpack(self.batch.bind(name)) for name in ("qpos", "qvel", "ctrl"))
        self.age = torch.zeros(count, device=self.qpos.device)
        self.previous = torch.zeros_like(self.ctrl)
        self.restart(torch.ones(count, dtype=torch.bool, device=self.qpos.device))

    def observe(self):
        w, x, y, z = self.qpos[:, 3:7].T
        up = torch.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], 1)  # of W in the body's axes
        ahead = torch.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z)], 1)
        return torch.cat([self.qpos[:, 2:3], up, ahead, self.qpos[:, 7:], self.qvel[:, :3], 0.3 * self.qvel[:, 3:6],
                          0.1 * self.qvel[:, 6:], self.previous], 1)

    def restart(self, mask):
        self.batch.reset(mask)
        noise = torch.randn_like(self.qvel) * mask[:, None]
        self.qvel += 0.1 * noise
        self.qpos[:, 7:] += 0.05 * noise[:, 6:]
        self.age[mask] = torch.randint(0, 500, (int(mask.sum()),), device=mask.device).float()
        self.previous[mask] = 0

    def act(self, action):
        """Reward, whether the figure fell, whether the episode is over."""
        target = 0.7 * action.clamp(-1, 1)
        self.ctrl.copy_(target)
        self.batch.step(STEPS_PER_ACTION)
        self.age += 1
        w, x, y, z = self.qpos[:, 3:7].T
        upright, ahead = 1 - 2 * (x * x + y * y), 1 - 2 * (y * y + z * z)
        fell = (self.qpos[:, 2] < 0.7) | (upright < 0.5) | ~torch.isfinite(self.qvel).all(1)
        speed = self.qvel[:, 0]
        reward = (1.0 + 2.0 * torch.exp(-4 * (speed - SPEED) ** 2) + 0.5 * speed.clamp(-1, SPEED) + 0.3 * ahead
                  - 0.3 * self.qvel[:, 1].abs() - 0.02 * (action - self.previous).square().mean(1) * 10
                  - 0.05 * action.square().mean(1))
        self.previous.copy_(action)
        reward = torch.where(fell, torch.full_like(reward, -2.0), reward)
        return reward, fell, fell | (self.age >= 500)


class Policy(torch.nn.Module):
    def __init__(self, observations, actions):
        super().__init__()
        def net(outputs):
            return torch.nn.Sequential(torch.nn.Linear(observations, 256), torch.nn.ELU(), torch.nn.Linear(256, 128), torch.nn.ELU(),
                                       torch.nn.Linear(128, outputs))
        self.mean, self.value = net(actions), net(1)
        self.log_deviation = torch.nn.Parameter(torch.full((actions,), -0.7))
        self.register_buffer("center", torch.zeros(observations))
        self.register_buffer("spread", torch.ones(observations))

    def scaled(self, observation):
        return ((observation - self.center) / self.spread).clamp(-5, 5)

    def forward(self, observation):
        seen = self.scaled(observation)
        return torch.distributions.Normal(self.mean(seen), self.log_deviation.exp()), self.value(seen)[:, 0]

    @torch.no_grad()
    def follow(self, observations, rate):
        """Moves the scales towards those of these observations."""
        self.center.lerp_(observations.mean(0), rate)
        self.spread.lerp_(observations.std(0).clamp(min=0.02), rate)


@torch.no_grad()
def collect(worlds, policy):
    kept = {name: [] for name in ("observation", "action", "chance", "value", "reward", "over")}
    for _ in range(HORIZON):
        observation = worlds.observe()
        distribution, value = policy(observation)
        action = distribution.sample()
        reward, fell, over = worlds.act(action)
        late = policy(worlds.observe())[1]
        reward = reward + 0.99 * late * (over & ~fell)  # an episode that only ran out of time would have gone on
        for name, numbers in zip(kept, (observation, action, distribution.log_prob(action).sum(1), value, reward, over)):
            kept[name].append(numbers)
        if over.any():
            worlds.restart(over)
    kept = {name: torch.stack(numbers) for name, numbers in kept.items()}
    after, gain = policy(worlds.observe())[1], 0
    gains = torch.zeros_like(kept["reward"])
    for k in reversed(range(HORIZON)):  # generalised advantages
        goes_on = 1 - kept["over"][k].float()
        surprise = kept["reward"][k] + 0.99 * after * goes_on - kept["value"][k]
        gain = surprise + 0.99 * 0.95 * goes_on * gain
        gains[k], after = gain, kept["value"][k]
    kept["gain"], kept["worth"] = gains, gains + kept["value"]
    return {name: numbers.flatten(0, 1) for name, numbers in kept.items()}


def improve(policy, optimiser, kept):
    gain = (kept["gain"] - kept["gain"].mean()) / (kept["gain"].std() + 1e-8)
    count, moved = len(gain), 0.0
    for _ in range(4):
        for part in torch.randperm(count, device=gain.device).chunk(4):
            distribution, value = policy(kept["observation"][part])
            ratio = (distribution.log_prob(kept["action"][part]).sum(1) - kept["chance"][part]).exp()
            moved = float((ratio - 1 - ratio.log()).mean().detach())
            loss = -torch.min(ratio * gain[part], ratio.clamp(0.8, 1.2) * gain[part]).mean()
            loss = loss + 0.5 * (value - kept["worth"][part]).square().mean() - 0.002 * distribution.entropy().sum(1).mean()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            optimiser.step()
    rate = optimiser.param_groups[0]["lr"]
    optimiser.param_groups[0]["lr"] = min(max(rate * (0.7 if moved > 0.02 else 1.4 if moved < 0.007 else 1), 5e-5), 2e-3)


@torch.no_grad()
def try_out(policy, model, device, seconds=10):
    """How many of 512 figures walk for ten seconds without a fall, and how far."""
    worlds = Worlds(model, 512, device)
    worlds.age[:] = -1e9
    start, standing = worlds.qpos[:, 0].clone(), torch.ones(512, dtype=torch.bool, device=worlds.qpos.device)
    for _ in range(int(seconds / 0.02)):
        standing &= ~worlds.act(policy(worlds.observe())[0].mean)[1]
    return float(standing.float().mean()), float((worlds.qpos[:, 0] - start)[standing].mean()) if standing.any() else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=4096)
    parser.add_argument("--iterations", type=int, default=600)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--model", type=pathlib.Path, default=FIGURE)
    parser.add_argument("--csv", type=pathlib.Path, help="the curve: iteration, seconds, steps, reward, length of episodes")
    options = parser.parse_args()
    torch.manual_seed(1)
    model = load_figure(options.model)
    worlds = Worlds(model, options.worlds, options.device)
    policy = Policy(worlds.observe().shape[1], model.nu).to(worlds.qpos.device)
    optimiser = torch.optim.Adam(policy.parameters(), 1e-3)
    begin, rows = time.perf_counter(), []
    for iteration in range(1, options.iterations + 1):
        kept = collect(worlds, policy)
        policy.follow(kept["observation"], max(0.02, 1 / iteration))
        improve(policy, optimiser, kept)
        steps = iteration * HORIZON * options.worlds * STEPS_PER_ACTION
        falls = float(kept["over"].float().mean())
        rows.append([iteration, time.perf_counter() - begin, steps, float(kept["reward"].mean()), 0.02 / max(falls, 1e-6)])
        if iteration % 20 == 0 or iteration == 1:
            print(f"iteration {iteration:4d}, {rows[-1][1]:6.1f} s, {steps / 1e6:7.1f} million steps, reward {rows[-1][3]:6.3f}, "
                  f"episodes of {rows[-1][4]:5.2f} s, speed {float(worlds.qvel[:, 0].mean()):5.2f} m/s", flush=True)
    walk, distance = try_out(policy, model, options.device)
    print(f"{100 * walk:.1f} % of 512 figures walk for 10 s without a fall, {distance:.1f} m on the average")
    if options.csv:
        with options.csv.open("w", newline="") as file:
            csv.writer(file).writerows([["iteration", "seconds", "steps", "reward", "episode"], *rows])


if __name__ == "__main__":
    main()
