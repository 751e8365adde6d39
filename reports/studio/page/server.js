// Asking the server: the newest question counts, and an answer is either there or one line that says why not.

import { unpressed } from "./dom.js";

const numbers = crypto.getRandomValues(new Uint32Array(4));
const page = Array.from(numbers, (one) => one.toString(36)).join("");

export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function sent(path, body) {
  try {
    return await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", page },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, "the studio does not answer; is combinat studio still running?");
  }
}

async function refused(answer) {
  let message = `the studio answered ${answer.status}`;
  try {
    message = (await answer.json()).error ?? message;
  } catch {
    // a line of our own is there already
  }
  return new Refusal(answer.status, message);
}

export async function read(path) {
  let answer;
  try {
    answer = await fetch(path);
  } catch {
    throw new Refusal(0, "the studio does not answer; is combinat studio still running?");
  }
  if (!answer.ok) throw await refused(answer);
  return answer.headers.get("content-type").startsWith("application/json") ? answer.json() : answer.text();
}

/** Ask for a file, and give its name and content. */
export async function file(path, body) {
  const answer = await sent(path, body);
  if (!answer.ok) throw await refused(answer);
  const name = decodeURIComponent(answer.headers.get("content-disposition").split("''")[1]);
  return { name, type: answer.headers.get("content-type"), content: await answer.blob() };
}

/** Ask something; of what takes long, hear how far it is and what is there already. */
export async function ask(path, body, { told, part } = {}) {
  const answer = await sent(path, body);
  if (!answer.ok) throw await refused(answer);
  if (answer.headers.get("content-type").split(";")[0] === "application/json") {
    const found = await answer.json();
    if (found.replaced) throw new Refusal(409, "replaced");
    return found;
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ done: true }));
    rest += value ?? "";
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines.filter(Boolean)) {
      const message = JSON.parse(line);
      if (message.error) throw new Refusal(message.status, message.error);
      if (message.answer) return message.answer;
      if (message.part) part?.(message.part);
      else told?.(message.done, message.total);
    }
    if (done) throw new Refusal(0, "the answer broke off; is combinat studio still running?");
  }
}

const AGAIN = 1500; // milliseconds after which a question that was dropped is asked again

/** Ask again and again, the newest question first: one that waits is dropped for a newer one. */
export class Latest {
  constructor(path, show, fail, told = null) {
    Object.assign(this, { path, show, fail, told, number: 0, shown: 0, running: 0, since: 0, waiting: null });
  }

  ask(body) {
    // An answer is usually there before the next key is pressed; only what takes longer is replaced on its way.
    const age = performance.now() - this.since;
    if (this.running && age < 120) {
      if (!this.waiting) setTimeout(() => this.waiting && this.send(this.waiting), 120 - age);
      this.waiting = body;
    } else this.send(body);
  }

  async send(body) {
    const number = ++this.number;
    this.waiting = null;
    this.running += 1;
    this.since = performance.now();
    const started = this.since;
    const steps = {
      told: (done, total) => number === this.number && this.told?.(done, total),
      part: (found) => unpressed().then(() => number === this.number && number > this.shown && this.show(found, body, started)),
    };
    try {
      const answer = await ask(this.path, body, steps);
      await unpressed();
      if (number > this.shown) {
        this.shown = number;
        this.show(answer, body, started);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (number !== this.number) return;
      const is_overtaken = error.status === 409; // by an older question, over another connection
      if (!is_overtaken) this.fail(error, body);
      const is_dropped = is_overtaken || [0, 408, 503].includes(error.status); // not refused: nobody had the time, or was there
      if (is_dropped) setTimeout(() => number === this.number && this.send(body), AGAIN);
    } finally {
      this.running -= 1;
      if (this.waiting && !this.running) this.send(this.waiting);
    }
  }
}
