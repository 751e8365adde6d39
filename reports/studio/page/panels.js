// The tools beside the bet. Those with much of their own are in modules; here are meters, parlay, joint wagers, outlook.

import { AllFigures } from "./all_figures.js";
import { Charts } from "./charts_panel.js";
import { Counting } from "./counting.js";
import { $, addTabListeners, download, el, selectTab } from "./dom.js";
import { Finder } from "./finder.js";
import { Market } from "./market.js";
import { Money } from "./money.js";
import { Variants } from "./variants.js";
import { FORMATS } from "./formats.js"; // written by the server from its list of formats
import { Panel, SlowPanel } from "./panel.js";
import { LatestRequest, RequestError, requestFile } from "./server.js";
import { redraw, renderDocument, renderNotes, renderTable } from "./tables.js";

export { meterTexts } from "./variants.js";

class Meters extends Panel {
  constructor(app) {
    super(app, "meters", "Meters");
    this.fieldsElement = el("div.fields");
    this.element.append(this.fieldsElement, this.output);
    this.shownMeters = "";
    this.latest = new LatestRequest("/page/meters", (answer) => this.draw(answer), (error) => this.showError(error));
  }

  update() {
    const meters = this.app.figuresData?.meters ?? [];
    if (!meters.length) {
      this.shownMeters = "";
      this.fieldsElement.replaceChildren();
      const example = el("code", {}, "100% of meter");
      redraw(this.output, el("p.notice", {}, "This paytable has no meter. An award with a pay such as ", example, " adds one."));
      return;
    }
    if (this.shownMeters !== meters.join("\n")) this.showFields(meters);
    const values = this.values();
    const textsOf = (term) => {
      const given = meters.filter((name) => values[`${term} ${name}`]?.trim());
      return given.map((name) => `${name}=${values[`${term} ${name}`].trim()}`);
    };
    const terms = Object.fromEntries(["seed", "rate", "reserve", "cap"].map((term) => [term, textsOf(term)]));
    this.latest.send({ ...this.app.requestBody(), ...terms, wager: values.wager?.trim() ?? "" });
  }

  showFields(meters) {
    this.shownMeters = meters.join("\n");
    const options = { onChange: () => this.update(), placeholder: "as in text", size: 8 };
    const terms = [["seed", "Seed"], ["rate", "Contribution rate"], ["reserve", "Reserve"], ["cap", "Cap"]];
    this.fieldsElement.replaceChildren(
      el("p.notice", {}, "Try other terms here. An empty field uses the value in the text."),
      ...meters.map((name) =>
        el(
          "div.level",
          { role: "group", "aria-label": name },
          el("b", {}, name),
          ...terms.map(([term, label]) => this.textField(`${term} ${name}`, label, options)),
          this.app.meterField(name),
        ),
      ),
      this.textField("wager", "Wager", options),
    );
  }

  draw(answer) {
    redraw(this.output, answer.documents.map((data) => renderDocument(data)));
  }
}

class Parlay extends SlowPanel {
  constructor(app) {
    super(app, "option", "Parlay", "/page/option", "Computing best play for every winning hand …");
    const onChange = () => this.update();
    const selectField = (name, label, choices) => this.selectField(name, label, choices, onChange);
    const maxHands = [["4", "4"], ["3", "3"], ["2", "2"]];
    this.rules = el(
      "div.fields",
      {},
      selectField("soft_17", "Dealer on soft 17", [["hits", "hits"], ["stands", "stands"]]),
      selectField("blackjack", "Blackjack pays", [["3:2", "3 to 2"], ["6:5", "6 to 5"], ["1:1", "1 to 1"]]),
      selectField("hands", "Maximum hands after splits", maxHands),
      selectField("after_split", "Double after split", [["double", "yes"], ["no double", "no"]]),
    );
    this.element.prepend(this.rules);
  }

  /** The request with the rules of the blackjack table, without rules for the default table. */
  requestBody() {
    const { soft_17 = "hits", blackjack = "3:2", hands = "4", after_split = "double" } = this.values();
    const isDefault = soft_17 === "hits" && blackjack === "3:2" && hands === "4" && after_split === "double";
    const rules = {
      hits_soft_17: soft_17 === "hits",
      blackjack_pays: blackjack,
      max_hands: Number(hands),
      double_after_split: after_split === "double",
    };
    return { ...this.app.requestBody(), ...(isDefault ? {} : rules) };
  }

  update() {
    this.rules.hidden = !this.app.figuresData?.option;
    super.update();
  }

  emptyMessage() {
    if (this.app.figuresData?.option) return null;
    const [parlay, press] = [el("code", {}, 'option = "parlay"'), el("code", {}, '"press"')];
    return ["Winnings of this bet cannot be parlayed. With ", parlay, " or ", press, " in the text, this panel shows best play."];
  }

  draw(answer) {
    return renderDocument(answer.document);
  }
}

class Joint extends Panel {
  constructor(app) {
    super(app, "joint", "Joint");
    this.wagerList = el("ul.wagers");
    const onChange = () => this.update();
    const add = () => this.setOthers([...this.others(), { bet: this.betChoices()[0]?.value ?? "", stake: "1" }]);
    this.element.append(
      el(
        "div.fields",
        {},
        this.textField("stake", "Stake on this bet", { value: "1", onChange, size: 6 }),
        this.textField("spots", "Spots", { value: "1", onChange, size: 4 }),
      ),
      this.wagerList,
      el("button", { type: "button", onclick: add }, "Add another wager"),
      this.output,
    );
    const draw = ({ document: data }) => redraw(this.output, renderDocument(data));
    this.latest = new LatestRequest("/page/wagers", draw, (error) => this.showError(error));
  }

  /** The other wagers: a catalog id or a pinned variant, and a stake. */
  others() {
    try {
      const others = JSON.parse(this.values().others ?? "[]");
      return others.filter((wager) => typeof wager.bet === "string" && typeof wager.stake === "string");
    } catch {
      return [];
    }
  }

  setOthers(others) {
    this.setValue("others", JSON.stringify(others));
    this.update();
  }

  betChoices() {
    const variants = this.app.state.variants.map(({ id, name }) => ({ value: `variant ${id}`, text: name }));
    return [...variants, ...this.app.catalog.entries.map(({ paytable, title }) => ({ value: paytable, text: `${paytable}  ${title}` }))];
  }

  update() {
    const others = this.others();
    if (!this.wagerList.contains(document.activeElement)) this.showWagers(others);
    if (!this.app.figuresData) return;
    const wagers = others.filter((wager) => wager.bet).map(({ bet, stake }) => ({ bet: this.betOf(bet), stake }));
    const { stake = "1", spots = "1" } = this.values();
    const body = { stake, spots: Number(spots) || 0, others: wagers.filter((wager) => wager.bet) };
    this.latest.send({ ...this.app.requestBody(), ...body });
  }

  betOf(value) {
    const [kind, number] = value.split(" ");
    if (kind !== "variant") return { id: value };
    const variant = this.app.state.variants.find(({ id }) => id === Number(number));
    return variant && { toml: variant.toml, paytable: variant.paytable, name: variant.name };
  }

  showWagers(others) {
    this.wagerList.replaceChildren(...others.map((wager, index) => this.wagerItem(others, wager, index)));
  }

  wagerItem(others, wager, index) {
    const number = index + 2; // the bet of the page is wager 1
    const replace = (patch) => others.map((other, otherIndex) => (otherIndex === index ? { ...other, ...patch } : other));
    const onchange = () => this.setOthers(replace({ bet: select.value }));
    const options = this.betChoices().map(({ value, text }) => el("option", { value }, text));
    const select = el("select", { "aria-label": `Wager ${number}`, onchange }, options);
    select.value = wager.bet;
    const stakeLabel = `Stake on wager ${number}`;
    const stake = el("input", { value: wager.stake, size: 6, "aria-label": stakeLabel, autocomplete: "off" });
    stake.addEventListener("input", () => {
      others[index].stake = stake.value;
      this.setOthers(others);
    });
    const remove = () => {
      /** @type {HTMLElement} */ (document.activeElement).blur();
      this.setOthers(others.filter((_, otherIndex) => otherIndex !== index));
    };
    const removeButton = el("button", { type: "button", "aria-label": `Remove wager ${number}`, onclick: remove }, "✕");
    return el("li", {}, select, stake, removeButton);
  }
}

class Outlook extends Panel {
  constructor(app) {
    super(app, "long-run", "Outlook");
    this.element.append(this.output);
    this.latest = new LatestRequest("/page/outlook", (answer) => this.draw(answer), (error) => this.showError(error));
  }

  update() {
    if (this.app.figuresData) this.latest.send(this.app.requestBody());
  }

  draw({ section }) {
    const paragraphs = section.text.map((text) => el("p", {}, text));
    redraw(this.output, paragraphs, section.tables.map((table) => renderTable(table)), renderNotes(section.notes));
  }
}


class Sheets extends Panel {
  constructor(app) {
    super(app, "sheets", "Sheets");
    this.output.setAttribute("role", "status");
    this.sheetLabel = el("span", {}, "Par sheet:");
    this.buttons = Object.entries(FORMATS).map(([format, name]) =>
      el("button", { type: "button", "data-format": format, onclick: () => this.download(format) }, name),
    );
    this.element.append(
      el(
        "div.fields",
        {},
        this.textField("prepared_by", "Prepared by"),
        this.textField("reviewed_by", "Reviewed by"),
        this.textField("document", "Document number"),
        this.textField("revision", "Revision", { placeholder: "1", size: 4 }),
        this.textField("jurisdiction", "Jurisdiction"),
        this.textField("max_wager", "Maximum wager", { placeholder: "100", size: 6 }),
      ),
      el("div.row.downloads", {}, this.sheetLabel, ...this.buttons),
      el("div.row.downloads", {}, el("span", {}, "Rack card:"), el("button", { type: "button", onclick: () => this.card("pdf") }, "PDF"), el("button", { type: "button", onclick: () => this.card("svg") }, "SVG")),
      el("div.row.downloads", {}, el("span", {}, "Bet:"), el("button", { type: "button", id: "save", onclick: () => app.saveText() }, "Text (TOML)")),
      this.output,
    );
  }

  update() {
    for (const button of this.buttons) button.disabled = !this.app.figuresData;
    const at = this.app.figuresData?.at;
    if (at) this.sheetLabel.textContent = `Par sheet for ${at} ${at === 1 ? "deck" : "decks"}:`;
  }

  /** Download the printable card of the pays. */
  async card(format) {
    try {
      const file = await requestFile("/page/rack-card", { ...this.app.requestBody(), format });
      download(file.name, file.content, file.type);
      redraw(this.output, el("p.notice", {}, `Downloaded ${file.name}.`));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.showError(error);
    }
  }

  async download(format) {
    const { toml, paytable, at, meters } = this.app.requestBody();
    const identity = Object.fromEntries(Object.entries(this.values()).filter(([, value]) => value.trim()));
    const status = `Writing the par sheet for ${at} decks (${FORMATS[format]}) and verifying it …`;
    redraw(this.output, el("p.notice", {}, status));
    try {
      const body = { bet: { toml, paytable }, decks: at, any_decks: true, meters, format, ...identity };
      const file = await requestFile("/api/par_sheet", body);
      download(file.name, file.content, file.type);
      const size = file.content.size.toLocaleString("en-US");
      redraw(this.output, el("p.notice", {}, `Downloaded ${file.name}, ${size} bytes.`));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.showError(error);
    }
  }
}

export class Panels {
  constructor(app) {
    this.app = app;
    const classes = [Charts, Variants, Finder, Market, Money, AllFigures, Meters, Parlay, Joint, Counting, Outlook, Sheets];
    this.panels = classes.map((PanelClass) => new PanelClass(app));
    const tabs = this.panels.map((panel) =>
      el("button", { type: "button", role: "tab", id: `tab-${panel.key}`, "aria-controls": "panel" }, panel.title),
    );
    $("panel-tabs").replaceChildren(...tabs);
    addTabListeners($("panel-tabs"), (tab) => app.openPanel(tab.id.replace("tab-", "")));
  }

  show(key) {
    const { meters = [], option = null } = this.app.figuresData ?? {};
    const panel = this.panels.find((candidate) => candidate.key === key) ?? this.panels[0];
    $("tab-meters").hidden = !meters.length && panel.key !== "meters";
    $("tab-option").hidden = !option && panel.key !== "option";
    selectTab($("panel-tabs"), $(`tab-${panel.key}`));
    $("panel").setAttribute("aria-labelledby", `tab-${panel.key}`);
    if ($("panel").firstChild !== panel.element) $("panel").replaceChildren(panel.element);
    panel.refresh();
    panel.update();
  }
}
