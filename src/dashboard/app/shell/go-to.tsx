import { useNavigate } from "@tanstack/react-router";
import { useShortcut } from "../../base/keys.ts";
import { type Place, PLACES, usePlaces } from "./places.ts";

/** `g` and a letter for each place. */
export function GoTo() {
  const places = usePlaces();
  return PLACES.filter((place) => places.includes(place) && place.key !== undefined).map((place) => (
    <GoToPlace key={place.name} place={place} />
  ));
}

function GoToPlace({ place: { key, name, target } }: { place: Place }) {
  const navigate = useNavigate();
  useShortcut({ keys: `g ${key}`, label: name, group: "Go to", run: () => void navigate(target()) });
  return null;
}
