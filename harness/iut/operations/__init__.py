"""Operations of the IUT protocol as values of the models, for who calls an implementation and for the reference."""
