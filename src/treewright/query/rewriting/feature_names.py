"""Which new features belong to FEATS: those that treebanks of Universal Dependencies have there, as Grew lists them."""

from __future__ import annotations

#: without layers: Number stands for Number[psor], too
IN_FEATS = frozenset(
    """
    Abbr Accomp AdjType AdpType AdvType Advlz Agglutination Also Analyt Animacy Aspect Case Caus Cfm Clas Class
    Clitic Clusivity Comt Conces ConjType Connegative Contrast Contv Corf Decl Definite Definitizer Degree
    Deixis DeixisRef Delib Deo Derivation Determ Detrans Dev Dialect Dist Dyn Echo Ego Emph Emphatic Evident
    Excl ExtPos Fact False Foc Focus FocusType Foreign Form Gender Gnq HebBinyan HebExistential Hon Htp Hum Hyph
    Imprs Incorp InfForm InflClass Int Intens Intense Intension LangId Language Link Mood Morph Movement
    Mutation NCount NameType NegationType Neutral Nmzr Nomzr NonFoc NounBase NounClass NounType NumForm NumType
    NumValue Number Obl Orth PartForm PartType PartTypeQpm Pcl Person Polarity Polite Poss Position Possessed
    Pred Prefix PrepCase PrepForm Priv PronClass PronType Proper Prp PunctSide PunctType Purp RcpType Recip Red
    Redup Reflex Rel RelType Reln Report Shared Speech Strength Style SubGender Subcat Subord Subordinative
    Tense Top Trans Tv Typo Uninflect Valency Variant Ventive VerbClass VerbForm VerbStem VerbType Voice
    """.split()  # noqa: SIM905
)


def belongs_to_feats(name: str) -> bool:
    """Say whether a new feature is written to FEATS; the others go to MISC."""
    return name.partition("[")[0] in IN_FEATS
