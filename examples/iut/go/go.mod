module example.com/mqsample

go 1.19
