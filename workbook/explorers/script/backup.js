// The backup stepper: which value moves, towards what, and how far.

import { make, say } from "../../../lib2048/viewer/script/dom.js";
import { Chart } from "../../widgets/script/chart.js";
import { makeChoice, showFrame } from "../../widgets/script/frame.js";
import { Stepper } from "../../widgets/script/stepper.js";
import { Strip } from "./strip.js";
import { lettered, points, time, valueOf } from "./symbols.js";

const HINT =
  "Keys: ← → step, Space plays, Home End; O changes the order, K the kind of value, " +
  "Page Up and Page Down go to another pass.";
const KINDS = { afterstate: "V(afterstate)", state: "V(state)" };
const HEADINGS = ["move", "V before", "target", "error", "V after", "still came"];
const NEARLY = 0.005; // points: smaller differences are rounding

/** A number as a term after a sign, in brackets where it has a sign of its own. */
function term(value) {
  return value < 0 ? `(${points(value)})` : points(value);
}

class Backups {
  constructor(model, el) {
    this.state = model.get("state");
    this.kinds = Object.keys(this.state.runs);
    [this.kind] = this.kinds;
    this.order = "backward";
    this.count = this.state.rewards.length;
    this.makeParts(model.get("look"));
    this.announce = showFrame(el, {
      label: "Backup stepper",
      keys: () => this.keys,
      hint: HINT,
      parts: this.layOut(),
    });
    this.restart(0);
  }

  get keys() {
    const other = (list, now) => list[(list.indexOf(now) + 1) % list.length];
    const changeOrder = () => this.setOrder(other(["backward", "forward"], this.order));
    const changeKind = () => this.setKind(other(this.kinds, this.kind));
    return {
      ...this.stepper.handlers,
      o: changeOrder,
      k: changeKind,
      PageUp: () => this.stepper.seek(this.stepper.at - this.count),
      PageDown: () => this.stepper.seek(this.stepper.at + this.count),
    };
  }

  makeParts(look) {
    const kinds = this.kinds.map((kind) => [kind, KINDS[kind]]);
    this.kindChoice = makeChoice("Kind of value", kinds, (kind) => this.setKind(kind));
    const orders = [
      ["backward", "backward", "Backward, the last move first"],
      ["forward", "forward", "Forward, as the game was played"],
    ];
    this.orderChoice = makeChoice("Order", orders, (order) => this.setOrder(order));
    this.stepper = new Stepper({
      unit: "backup",
      changed: () => this.show(),
      tell: (at) => `backup ${at} of ${this.stepper.last}, pass ${this.passOf(at) + 1}`,
    });
    this.strip = new Strip(look);
    this.passText = make("span", { class: "pass number" });
    this.formula = make("div", { class: "formula", "aria-hidden": "true" });
    this.note = make("p", { class: "saying" });
    this.body = make("tbody");
    this.table = this.makeTable();
    this.chart = new Chart({ height: 190, xName: "move", yName: "V" });
  }

  makeTable() {
    const heads = HEADINGS.map((text) => make("th", { scope: "col" }, text));
    const head = make("thead", {}, make("tr", {}, ...heads));
    this.caption = make("caption");
    const table = make("table", { class: "backups" }, this.caption, head, this.body);
    return make("div", { class: "scroll" }, table);
  }

  layOut() {
    const row = (...parts) => make("div", { class: "row" }, ...parts);
    const choices = row(this.kindChoice.node, this.orderChoice.node, this.passText);
    const legend = make(
      "p",
      { class: "keys" },
      "Thick line: V now. Thin: V after earlier passes. Dashed: what this game still brought.",
    );
    return [
      choices,
      this.stepper.node,
      this.strip.node,
      this.formula,
      this.note,
      this.table,
      this.chart.node,
      legend,
    ];
  }

  setKind(kind) {
    this.kind = kind;
    this.restart(this.stepper.at);
  }

  setOrder(order) {
    this.order = order;
    this.restart(this.stepper.at);
  }

  // What is shown

  get run() {
    return this.state.runs[this.kind][this.order];
  }

  passOf(at) {
    return Math.max(0, Math.ceil(at / this.count) - 1);
  }

  /** The backup that led to this step; null at the start. */
  backupAt(at) {
    return at === 0 ? null : this.run.passes[this.passOf(at)][(at - 1) % this.count];
  }

  /** What was really earned from each board to the end. */
  get returns() {
    const { rewards } = this.state;
    const from = (t) => rewards.slice(t).reduce((sum, reward) => sum + reward, 0);
    return rewards.map((_, t) => from(this.kind === "state" ? t : t + 1));
  }

  restart(at) {
    this.kindChoice.press(this.kind);
    this.orderChoice.press(this.order);
    const { states, afterstates, rewards } = this.state;
    const isState = this.kind === "state";
    const boards = isState ? states.slice(0, -1) : afterstates;
    const flowing = isState ? rewards : [...rewards.slice(1), null];
    this.strip.begin({ letter: isState ? "s" : "s′", boards, rewards: flowing });
    this.stepper.begin(this.count * this.run.passes.length, at);
  }

  show() {
    const { at } = this.stepper;
    const backup = this.backupAt(at);
    const values = backup ? backup.values : this.run.start;
    this.strip.show(values, backup ? backup.t : null);
    say(this.passText, `pass ${this.passOf(at) + 1} of ${this.run.passes.length}`);
    this.writeFormula(backup);
    this.writeTable(at);
    this.drawChart(at, values);
    say(this.note, this.noteOn(backup));
    this.announce?.(`${this.spoken(backup)} ${this.noteOn(backup)}`);
  }

  writeFormula(backup) {
    if (!backup) {
      this.formula.replaceChildren(`α = ${this.state.alpha}. Nothing is learned yet.`);
      return;
    }
    const { t, reward, following, target, before, error, after } = backup;
    const V = () => valueOf(this.kind, t, this.count);
    const isState = this.kind === "state";
    const sum = [lettered("r", isState ? t : t + 1, this.count), " + "];
    const isDead = t + 1 === this.count;
    sum.push(isDead && isState ? "0" : valueOf(this.kind, t + 1, this.count));
    const numbers = ` = ${reward} + ${term(following)} = ${points(target)}`;
    const targetLine = reward === null ? ["0, because nothing follows"] : [...sum, numbers];
    const { alpha } = this.state;
    const sign = this.movedAsPlanned(backup) ? "=" : "→";
    const lines = [
      ["target = ", ...targetLine],
      ["error = target − ", V(), ` = ${points(target)} − ${term(before)} = ${points(error)}`],
      [V(), ` ← ${points(before)} + ${alpha} · ${term(error)} ${sign} ${points(after)}`],
    ];
    this.formula.replaceChildren(...lines.map((parts) => make("div", {}, ...parts)));
  }

  /** Whether V moved by α · error, but for rounding. */
  movedAsPlanned({ before, error, after }) {
    return Math.abs(after - (before + this.state.alpha * error)) < NEARLY;
  }

  noteOn(backup) {
    if (!backup) {
      return this.state.shared
        ? "Step on: each backup moves one value, and with it others that share weights."
        : "Step on: each backup moves one value. Here each board has a weight of its own.";
    }
    const { t } = backup;
    if (!this.movedAsPlanned(backup)) {
      return (
        "It moved by more than α · error, because this board looks some of its weights up " +
        "more than once, and each lookup adds its share."
      );
    }
    if (t + 1 === this.count) return "The last move: after it comes the dead board, worth 0.";
    return this.order === "backward"
      ? "Backward: the value in the target was moved just before."
      : "Forward: the value in the target has not been moved in this pass yet.";
  }

  spoken(backup) {
    if (!backup) return "Before the first backup.";
    const { t, target, error, before, after } = backup;
    return (
      `Move ${time(t, this.count)}: target ${points(target)}, V before ${points(before)}, ` +
      `error ${points(error)}, V after ${points(after)}.`
    );
  }

  writeTable(at) {
    const pass = this.passOf(at);
    const done = at - pass * this.count;
    const { returns } = this;
    const rows = this.run.passes[pass].map((backup, number) => {
      const { t, before, target, error, after } = backup;
      const numbers = [before, target, error, after].map(points);
      const isLater = number >= done;
      const cells = numbers.map((text) => make("td", {}, isLater ? "" : text));
      const name = make("th", { scope: "row" }, time(t, this.count));
      const row = make("tr", {}, name, ...cells, make("td", {}, String(returns[t])));
      row.classList.toggle("now", number === done - 1);
      return { t, row };
    });
    rows.sort((one, other) => one.t - other.t);
    this.body.replaceChildren(...rows.map(({ row }) => row));
    say(this.caption, `${KINDS[this.kind]}, ${this.order}, pass ${pass + 1}`);
  }

  drawChart(at, values) {
    const { start, passes } = this.run;
    const earlier = [start, ...passes.slice(0, this.passOf(at)).map((pass) => pass.at(-1).values)];
    const { returns } = this;
    const all = [...Object.values(this.state.runs[this.kind])].flatMap((run) => {
      return [run.start, ...run.passes.map((pass) => pass.at(-1).values)].flat();
    });
    const low = Math.min(0, ...all);
    const high = Math.max(1, ...all, ...returns);
    const line = (list, name) => ({ points: list.map((value, t) => [t, value]), name });
    this.chart.draw({
      x: [0, Math.max(1, this.count - 1)],
      y: [low, high * 1.05],
      xTicks: values.map((_, t) => [t, time(t, this.count)]),
      lines: [
        ...earlier.map((list) => line(list, "before")),
        line(returns, "truth"),
        line(values, "chosen"),
      ],
      label: `V of each board: ${values.map(points).join(", ")}; still came: ${returns.join(", ")}`,
    });
  }
}

export function render({ model, el }) {
  const backups = new Backups(model, el);
  return () => {
    backups.stepper.pause();
    backups.chart.stop();
  };
}
