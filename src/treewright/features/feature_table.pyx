"""Features as tables: the seeds of their keys, and the places of their values in what is filled for each decision."""
from treewright.features.feature_lists import listed_features


cdef int load_section(Section* out, str name, tuple sections, dict places, dict rows, uint64_t multiplier) except -1:
    """Make the table of one or several sections of a list. A seed is a feature's number times ``multiplier``.

    ``places``: of the values that the code computes; ``rows``: of others, in the row of the word. These are copied
    behind the former, to ``read``, or features look at the row itself if there are no former.
    """
    cdef int k, place, order
    cdef Feature* feature = out.features
    features = [listed for section in sections for listed in listed_features(name)[section]]
    copied = list(dict.fromkeys(v for _, values in features for v in values if places and v not in places))
    if len(features) > MOST_FEATURES or len(copied) > MOST_READ:
        raise ValueError(f"there are too many features of a {name} in one section: {sections}")
    out.n, out.n_read = len(features), len(copied)
    known = {**places} if places else rows
    for k, value in enumerate(copied):
        out.read[k], known[value] = rows[value], places["read[1]"] + k
    for k in range(1, 4):
        for order, (number, values) in enumerate(features):
            if len(values) == k:
                feature.seed, feature.place = <uint64_t>number * multiplier, order
                for place, value in enumerate(values):
                    feature.value[place] = known[value]
                feature += 1
        out.end[k] = <int>(feature - out.features)
    return 0


cdef dict places_in(dict numbered):
    """Return the places of values by their names, for a structure in which each value is its place: see count_up.

    Values of an array are counted from 1.
    """
    places = {}
    for name, place in numbered.items():
        places.update({name: place} if isinstance(place, int) else {f"{name}[{k}]": p for k, p in enumerate(place, 1)})
    return places
