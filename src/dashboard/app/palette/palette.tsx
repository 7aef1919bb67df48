/// <reference lib="dom" />
import { useState } from "react";
import {
  Combobox,
  ComboboxGroup,
  ComboboxGroupLabel,
  ComboboxItem,
  ComboboxList,
  ComboboxProvider,
} from "@ariakit/react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { type Command, matchesWords, useCommands } from "./commands.ts";
import { useActions } from "../../base/keys.ts";
import { to } from "../../base/links.ts";
import { useSignedIn } from "../../base/session.ts";
import { PAGE_NAMES } from "../../help/pages.ts";
import { usePlaces } from "../shell/places.ts";
import { useDebounced } from "../../search/use-debounced.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { found } from "./found.ts";
import { helpJumps, helpSearch, type Jump, jumpsOf, wordsFilter } from "./jumps.ts";

/** Until an answer is asked for. */
const PAUSE_MILLISECONDS = 150;

interface Item {
  id: string;
  label: string;
  icon: IconName;
  note?: string;
  keys?: string;
  run: () => void;
}

/** Jumps to pages and objects and runs commands: Ctrl-K. */
export function Palette({ open, close }: { open: boolean; close: () => void }) {
  return (
    <Dialog title="Search and commands" open={open} close={close} className="palette">
      <Search close={close} />
    </Dialog>
  );
}

function Search({ close }: { close: () => void }) {
  const [text, setText] = useState("");
  const groups = useItems(text.trim());
  const run = (item: Item) => {
    close();
    item.run();
  };
  const none = groups.every(({ items }) => items.length === 0);
  return (
    <ComboboxProvider open value={text} setValue={setText}>
      <div className="palette-field">
        <Icon name="search" />
        <Combobox
          autoFocus
          autoSelect="always"
          className="palette-input"
          aria-label="Search or jump to"
          placeholder="Address, device, incident, domain, signature, identifier or command"
        />
      </div>
      <ComboboxList alwaysVisible className="palette-list" aria-label="Results">
        {groups.filter(({ items }) => items.length > 0).map(({ name, items }) => (
          <ComboboxGroup key={name}>
            <ComboboxGroupLabel className="palette-group">{name}</ComboboxGroupLabel>
            {items.map((item) => (
              <ComboboxItem
                key={item.id}
                className="palette-item"
                focusOnHover
                setValueOnClick={false}
                hideOnClick={false}
                onClick={() => run(item)}
              >
                <Icon name={item.icon} />
                <span className="palette-label">
                  <Foreign text={item.label} />
                </span>
                {item.note && <span className="muted small">{item.note}</span>}
                {item.keys && <kbd>{item.keys}</kbd>}
              </ComboboxItem>
            ))}
          </ComboboxGroup>
        ))}
      </ComboboxList>
      {none && <p className="palette-none muted" role="status">Nothing found.</p>}
    </ComboboxProvider>
  );
}

function useItems(text: string): { name: string; items: Item[] }[] {
  const { tenant, session } = useSignedIn();
  const navigate = useNavigate();
  const { routesByPath } = useRouter();
  const places = usePlaces();
  const commands = useCommands();
  const here = useActions();
  const { data = [] } = useQuery(found(tenant, useDebounced(text, PAUSE_MILLISECONDS), session.csrf_token));
  const go = ({ id, label, note, icon, target }: Jump): Item => ({
    id,
    label,
    note,
    icon,
    run: () => void navigate(target),
  });
  const pages = places.filter(({ name, section }) => matchesWords(text, { label: name, words: section }))
    .map(({ name, icon, key, target }): Item => ({
      id: `page ${name}`,
      label: name,
      icon,
      keys: key && `g ${key}`,
      run: () => void navigate(target()),
    }));
  const actions = commands.filter((command) => matchesWords(text, command)).map(commandItem);
  const onPage = here.filter((action) => matchesWords(text, action)).map((action) => ({
    ...commandItem({ ...action }),
    id: `action ${action.label}`,
  }));
  if (text === "") {
    return [
      { name: "Go to", items: pages },
      { name: "On this page", items: onPage },
      { name: "Commands", items: actions },
    ];
  }
  const has = (path: string) => `/t/$tenant/${path}` in routesByPath;
  const search: Item = {
    id: "search",
    label: `Search flows for “${text}”`,
    icon: "search",
    run: () => void navigate(to.explore({ filter: wordsFilter(text) })),
  };
  const inHelp = helpSearch(text);
  return [
    // What needs no answer comes first: a later answer must not move what Enter would run.
    { name: "Jump to", items: jumpsOf(text, has).map(go) },
    { name: "On this page", items: onPage },
    { name: "Go to", items: pages },
    { name: "Commands", items: actions },
    { name: "Help", items: helpJumps(text, PAGE_NAMES).map(go) },
    { name: "Found", items: data.map(go) },
    { name: "Search", items: inHelp === null ? [search] : [search, go(inHelp)] },
  ];
}

function commandItem({ label, icon = "right", keys, run }: Command): Item {
  return { id: `command ${label}`, label, icon, keys, run };
}
